import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { type Board, type BoardAuthorization } from '../../runtime/admin/board/index.js';
import { hasBrowser, launchBrowser, openPage } from '../support/browser.js';
import { eventually, goTo, openBoard, openPlace, type Place, rowOf } from './place.js';

/** Admits the tokens that are in the set. */
function authorization(): { auth: BoardAuthorization; valid: Set<string> } {
  const valid = new Set(['first']);
  return {
    valid,
    auth: {
      authenticate: (request) => {
        const [, token = ''] = (request.headers.get('authorization') ?? '').split(' ');
        return Promise.resolve(
          valid.has(token) ? { clientId: 'app' } : new Response('', { status: 401 }),
        );
      },
    },
  };
}

const isLive = (page: Page) => page.waitForSelector('#connection:text("Live")');
const portOf = ({ url }: Board) => Number(new URL(url).port);

async function enter(page: Page, token: string): Promise<void> {
  await page.fill('#token', token);
  await page.keyboard.press('Enter');
}

describe.skipIf(!hasBrowser)('the page and its board', () => {
  let browser: Browser;
  let place: Place;
  beforeAll(async () => {
    browser = await launchBrowser();
    place = await openPlace();
  });
  afterAll(async () => {
    await browser.close();
    await place.close();
  });

  it('takes the secret out of the address, and keeps it for a reload', async () => {
    const { page } = await openBoard(browser, place.board);
    await page.waitForSelector('#statuses a');
    expect(page.url()).not.toContain('token');
    await page.reload();
    await page.waitForSelector('#connection:text("Live")');
    expect(await page.isVisible('#access')).toBe(false);
  });

  it('asks for the secret where it is missing or wrong', async () => {
    const { page } = await openBoard(browser, place.board);
    await page.evaluate('sessionStorage.clear()');
    await page.goto('about:blank');
    await page.goto(place.board.url.replace(/#.*/, ''));
    await page.waitForSelector('#access:not([hidden])');
    expect(await page.isVisible('#list')).toBe(false);
    await page.fill('#token', 'wrong');
    await page.keyboard.press('Enter');
    await eventually(() => page.inputValue('#token')).toBe('');
    await page.fill('#token', place.board.url);
    await page.keyboard.press('Enter');
    await page.waitForSelector('#list:not([hidden])');
  });

  it('goes on by itself when the board was restarted', async () => {
    const { auth } = authorization();
    const board = await place.serve({ auth });
    const { page } = await openBoard(browser, board);
    await enter(page, 'first');
    await isLive(page);
    // A read that fails as well does not hide that the connection is lost.
    await page.route('**/api/counts', (route) => route.abort());
    await place.start('wait');
    await page.waitForSelector('#connection:text("The board does not answer")');
    await page.unroute('**/api/counts');
    await board.close();
    await page.waitForSelector('#connection:text("Not connected; tries again")');
    await place.serve({ auth, port: portOf(board) });
    await isLive(page);
    await rowOf(page, await place.start('wait')).waitFor();
  });

  it('asks for the new secret of a board that was restarted, and takes its URL', async () => {
    const board = await place.serve();
    const { page } = await openBoard(browser, board);
    await isLive(page);
    await board.close();
    const next = await place.serve({ port: portOf(board) });
    await page.waitForSelector('#access:not([hidden])');
    await page.goto(next.url);
    await isLive(page);
    expect(await page.isVisible('#access')).toBe(false);
    await page.waitForSelector('#statuses .count:not(:empty)');
  });

  it('asks for a token in mid-work, and goes on where it was', async () => {
    const { auth, valid } = authorization();
    const board = await place.serve({ auth });
    const { id } = await place.start('wait');
    const { page } = await openBoard(browser, board, `task=${id}`);
    await enter(page, 'first');
    await page.click('#cancel');
    // The page may read the task at any time and learn it then: it asks for a token at once, and keeps its question.
    valid.delete('first');
    valid.add('second');
    await page.click('#confirm-yes');
    await page.waitForSelector('#access:not([hidden])');
    expect(await page.isVisible('#task')).toBe(false);
    await enter(page, 'second');
    await page.waitForSelector('#task-title .badge.working');
    expect(await page.textContent('#said')).toBe('Not done: A valid token is needed');
    await isLive(page);
  });

  it('does not ask again because of an answer to an older token', async () => {
    const { auth } = authorization();
    const { page } = await openBoard(browser, await place.serve({ auth }));
    let refuse: () => void = () => undefined;
    const held = new Promise<void>((resolve) => (refuse = resolve));
    await page.waitForSelector('#access:not([hidden])');
    const isWrong = (request: { headers(): Record<string, string> }): boolean =>
      request.headers()['authorization'] === 'Bearer wrong';
    let isHeld = false;
    await page.route('**/api/counts', async (route) => {
      isHeld ||= isWrong(route.request());
      if (isWrong(route.request())) await held;
      await route.continue();
    });
    await enter(page, 'wrong');
    await eventually(() => isHeld).toBe(true);
    await eventually(() => page.isVisible('#access')).toBe(true);
    await enter(page, 'first');
    await isLive(page);
    const answered = page.waitForResponse('**/api/counts');
    refuse();
    await answered;
    await page.waitForSelector('#statuses .count:not(:empty)');
    expect(await page.isVisible('#access')).toBe(false);
  });

  it('reads again what could not be read, and drops the message', async () => {
    const { page } = await openPage(browser, 'about:blank');
    onTestFinished(() => page.context().close());
    await page.clock.install();
    await page.route(
      '**/api/tasks?**',
      (route) => route.fulfill({ status: 500, json: { error: { message: 'The store failed.' } } }),
      { times: 1 },
    );
    await page.goto(place.board.url);
    await page.waitForSelector('#connection:text("The store failed.")');
    await page.clock.fastForward(5_100);
    await page.waitForSelector('#tasks tbody tr');
    await isLive(page);
  });

  it('gives up a connection that is silent', async () => {
    const { page } = await openPage(browser, 'about:blank');
    onTestFinished(() => page.context().close());
    await page.clock.install();
    let streams = 0;
    await page.route('**/api/events', (route) => {
      streams += 1;
      // The first one gets no answer.
      return streams === 1 ? undefined : route.continue();
    });
    await page.goto(place.board.url);
    await eventually(() => streams).toBe(1);
    await page.clock.fastForward(41_000);
    await eventually(() => streams).toBe(2);
    await isLive(page);
  });

  it('pauses a search while it is hidden, and ends it when the person goes elsewhere', async () => {
    const { page } = await openBoard(browser, place.board);
    await isLive(page);
    const searched: string[] = [];
    await page.route('**/api/tasks?**', (route) => {
      const before = `${String(searched.push(route.request().url()))}`;
      return route.fulfill({ json: { tasks: [], next: `0${before}`, looked: 5_000 } });
    });
    await goTo(page, 'tool=needle');
    await eventually(() => searched.length).toBeGreaterThan(3);
    const setHidden = (value: boolean) =>
      page.evaluate(`
        Object.defineProperty(document, 'hidden', { value: ${value}, configurable: true });
        document.dispatchEvent(new Event('visibilitychange'));
      `);
    await setHidden(true);
    let last = 0;
    await eventually(() => last === (last = searched.length)).toBe(true);
    await setHidden(false);
    await eventually(() => searched.length).toBeGreaterThan(last + 3);
    const { id } = await place.start('wait');
    await goTo(page, `task=${id}`);
    await page.waitForSelector('#cancel');
    const { length } = searched;
    await page.waitForResponse('**/api/tasks/**');
    expect(searched.length).toBe(length);
  });
});
