import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openPostgresStore } from '../../runtime/stores/postgres/index.js';
import { hasBrowser, launchBrowser } from '../support/browser.js';
import { type PostgresServer, startPostgres } from '../support/postgres.js';
import {
  ANN,
  delayAnswers,
  eventually,
  goTo,
  openBoard,
  openPlace,
  type Place,
  rowOf,
  sqliteStores,
  type Stores,
} from './place.js';

async function postgresStores(server: PostgresServer): Promise<Stores> {
  const database = await server.newDatabase();
  const connectionString = database.url;
  return {
    store: await openPostgresStore({ connectionString }),
    beside: await openPostgresStore({ connectionString, migrate: false }),
    remove: () => database.remove(),
  };
}

describe.skipIf(!hasBrowser)('what is done with the board in Chromium', () => {
  let browser: Browser;
  let postgres: PostgresServer;
  const places: Place[] = [];
  let place: Place;
  beforeAll(async () => {
    [browser, postgres] = await Promise.all([launchBrowser(), startPostgres()]);
    places.push(await openPlace(sqliteStores()), await openPlace(await postgresStores(postgres)));
    [place] = places as [Place];
  });
  afterAll(async () => {
    await browser?.close();
    for (const each of places) await each.close();
    await postgres?.stop();
  });

  const activeId = (page: Page) => page.evaluate('document.activeElement.id');

  it.each([
    { store: 'SQLite', index: 0, ms: 0 },
    { store: 'SQLite', index: 0, ms: 300 },
    { store: 'PostgreSQL', index: 1, ms: 0 },
  ])('cancels and retries by keyboard on $store, answers $ms ms late', async ({ index, ms }) => {
    const { start, board, engine, actions } = places[index] ?? place;
    const first = await start('wait');
    const { page, problems } = await openBoard(browser, board);
    await delayAnswers(page, ms);
    await rowOf(page, first).waitFor();
    await page.keyboard.press('/');
    await page.keyboard.type(first.id);
    await page.keyboard.press('Enter');
    await eventually(() => page.locator('#tasks tbody tr').count()).toBe(1);
    expect(await activeId(page)).toBe('by-id');
    await page.focus(`#tasks a[href="#task=${first.id}"]`);
    await page.keyboard.press('Enter');
    await page.waitForSelector('#cancel');
    await page.focus('#cancel');
    await page.keyboard.press('Enter');
    // The answer that changes nothing first.
    await page.waitForSelector('#confirm[open]');
    await page.keyboard.press('Escape');
    await eventually(() => activeId(page)).toBe('cancel');
    await page.keyboard.press('Enter');
    await page.waitForSelector('#confirm[open]');
    await page.focus('#confirm-yes');
    await page.keyboard.press('Enter');
    await page.waitForSelector('#task-title .badge.cancelled');
    await eventually(() => page.textContent('#said')).toBe('The task is cancelled.');
    await eventually(async () => (await engine.get(ANN, first.id)).status).toBe('cancelled');

    await page.focus('#retry');
    await page.keyboard.press('Enter');
    await page.waitForSelector('#confirm[open]');
    await page.focus('#confirm-yes');
    await page.keyboard.press('Enter');
    await eventually(() => page.textContent('#said')).toMatch(/^Retried as /);
    await page.click('dt:has-text("Retried as") + dd a');
    // The locator waits until the page shows the new task.
    const origin = page.locator('dt:has-text("Retry of") + dd a');
    expect(await origin.getAttribute('href')).toBe(`#task=${first.id}`);
    expect(actions.slice(-2)).toMatchObject([
      { type: 'cancelled', taskId: first.id },
      { type: 'retried', taskId: first.id },
    ]);
    expect(problems).toEqual([]);
  });

  /** A page of a task whose tool returned an error, which can be retried. */
  async function failedTask(): Promise<{ page: Page; id: string; retries: () => number }> {
    const { id } = await place.start('print');
    await eventually(async () => (await place.engine.get(ANN, id)).status).toBe('completed');
    const { page } = await openBoard(browser, place.board, `task=${id}`);
    await page.waitForSelector('#retry');
    const retries = () =>
      place.actions.filter(({ type, taskId }) => type === 'retried' && taskId === id).length;
    return { page, id, retries };
  }

  const agree = async (page: Page, button: string): Promise<void> => {
    await page.click(button);
    await page.click('#confirm-yes');
  };

  it('does nothing when Enter is pressed twice', async () => {
    const { page, retries } = await failedTask();
    await page.focus('#retry');
    await page.keyboard.press('Enter');
    await page.waitForSelector('#confirm[open]');
    await page.keyboard.press('Enter');
    await page.waitForSelector('#confirm:not([open])', { state: 'attached' });
    await eventually(() => activeId(page)).toBe('retry');
    expect(retries()).toBe(0);
  });

  it('does one thing at a time, and says so', async () => {
    const { page, retries } = await failedTask();
    let answer: () => void = () => undefined;
    const held = new Promise<void>((resolve) => (answer = resolve));
    await page.route('**/retry', async (route) => {
      await held;
      await route.continue();
    });
    await agree(page, '#retry');
    await eventually(() => page.textContent('#said')).toBe('Retrying …');
    expect(await page.getAttribute('#retry', 'aria-disabled')).toBe('true');
    await page.dispatchEvent('#retry', 'click');
    expect(await page.isVisible('#confirm')).toBe(false);
    answer();
    await eventually(() => page.textContent('#said')).toMatch(/^Retried as /);
    expect(await page.getAttribute('#retry', 'aria-disabled')).toBeNull();
    expect(retries()).toBe(1);
  });

  it('asks and says nothing about another task than the one that is shown', async () => {
    const [{ id: first }, { id: second }] = [await place.start('wait'), await place.start('wait')];
    const { page } = await openBoard(browser, place.board, `task=${first}`);
    await page.click('#cancel');
    await page.waitForSelector('#confirm[open]');
    await goTo(page, `task=${second}`);
    await page.waitForSelector(`#task-title:has-text("${second}")`);
    expect(await page.isVisible('#confirm')).toBe(false);

    await goTo(page, `task=${first}`);
    await page.waitForSelector(`#task-title:has-text("${first}")`);
    let answer: () => void = () => undefined;
    const held = new Promise<void>((resolve) => (answer = resolve));
    await page.route('**/cancel', async (route) => {
      await held;
      await route.continue();
    });
    await agree(page, '#cancel');
    const answered = page.waitForResponse('**/cancel');
    await goTo(page, `task=${second}`);
    await page.waitForSelector(`#task-title:has-text("${second}")`);
    answer();
    await answered;
    await eventually(async () => (await place.engine.get(ANN, first)).status).toBe('cancelled');
    expect(await page.textContent('#said')).toBe('');
    expect((await place.engine.get(ANN, second)).status).toBe('working');
  });

  it('does what was agreed to, also for a person who leaves the task at once', async () => {
    const [{ id: first }, { id: second }] = [await place.start('wait'), await place.start('wait')];
    const { page } = await openBoard(browser, place.board, `task=${first}`);
    await page.click('#cancel');
    await page.waitForSelector('#confirm[open]');
    // The page has left before the event of the dialog comes.
    await page.evaluate(`
      document.getElementById('confirm-yes').click();
      location.hash = 'task=${second}';
      dispatchEvent(new Event('hashchange'));
    `);
    await eventually(async () => (await place.engine.get(ANN, first)).status).toBe('cancelled');
    await page.waitForSelector(`#task-title:has-text("${second}")`);
    expect(await page.textContent('#said')).toBe('');
    expect((await place.engine.get(ANN, second)).status).toBe('working');
  });

  it('does not claim that nothing was done when there was no answer', async () => {
    const { page, retries } = await failedTask();
    await page.route('**/retry', async (route) => {
      await route.fetch();
      await route.abort();
    });
    await agree(page, '#retry');
    await eventually(() => page.textContent('#said')).toContain('not known whether');
    await page.waitForSelector('dt:has-text("Retried as")');
    expect(await page.textContent('#retry')).toBe('Retry again');
    expect(retries()).toBe(1);
  });

  it('shows no payloads where the board refuses them, and the task all the same', async () => {
    const { page } = await failedTask();
    await page.route('**/*payloads=1', (route) =>
      route.fulfill({ status: 403, json: { error: { message: 'The board shows no payloads' } } }),
    );
    await page.click('#payloads');
    await eventually(() => page.textContent('#said')).toBe('The board shows no payloads');
    expect(await page.isChecked('#payloads')).toBe(false);
    expect(await page.isVisible('#access')).toBe(false);
  });

  it('keeps the focus, a selection and what is scrolled while a task changes', async () => {
    const task = await place.start('book');
    const { page } = await openBoard(browser, place.board, `task=${task.id}`);
    await page.waitForSelector('#task-title .badge.input_required');
    await page.focus('#task .back a');
    await page.evaluate(
      `getSelection().selectAllChildren(document.querySelector('#task dd code'))`,
    );
    const { input } = await place.engine.get(ANN, task.id);
    const answer = { result: { action: 'accept', content: { room: '7' } } };
    await place.engine.answer(ANN, task.id, { [input[0]?.key ?? '']: answer });
    await page.waitForSelector('#task-title .badge.completed');
    expect(await page.evaluate('document.activeElement.textContent')).toBe('All tasks');
    expect(await page.evaluate('String(getSelection())')).toBe('book');
  });

  it('says that a task is gone while it shows it, and leaves the focus in the page', async () => {
    const { page, id } = await failedTask();
    await page.focus('#retry');
    const task = await place.engine.get(ANN, id);
    await place.store.administration?.remove([task]);
    await page.waitForSelector('#task-title:text("No such task")');
    expect(await activeId(page)).toBe('main');
  });

  it('leaves the focus in the search that it is used for', async () => {
    const { page } = await openBoard(browser, place.board);
    await page.waitForSelector('#tasks tbody tr');
    await page.fill('#by-tool', 'nothing-has-this-name');
    await page.keyboard.press('Enter');
    await eventually(() => page.textContent('#found')).toBe('No tasks.');
    expect(await activeId(page)).toBe('by-tool');
    await page.focus('#statuses .failed');
    await page.keyboard.press('Enter');
    await page.waitForSelector('#statuses .failed[aria-current]');
    expect(await page.evaluate('document.activeElement.dataset.status')).toBe('failed');
    await page.click('#clear');
    await page.waitForSelector('#tasks tbody tr');
    expect(await activeId(page)).toBe('by-id');
  });
});
