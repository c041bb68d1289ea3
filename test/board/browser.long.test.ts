import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { TaskRecord } from '../../runtime/tasks/index.js';
import { NO_CAPS } from '../../runtime/testing/testkit/index.js';
import {
  axeViolations,
  expectFits,
  hasBrowser,
  keepPicture,
  launchBrowser,
} from '../support/browser.js';
import { HOSTILE } from './hostile.js';
import {
  ANN,
  eventually,
  finishReport,
  openBoard,
  openPlace,
  type Place,
  rowOf,
  SECRET,
} from './place.js';
import { insertAll, taskOf } from './support.js';

describe.skipIf(!hasBrowser)('the board in Chromium', () => {
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

  const open = (
    at = '',
    options: BrowserContextOptions = {},
  ): Promise<{ page: Page; problems: string[] }> => openBoard(browser, place.board, at, options);

  it('shows tasks as they come and go, without a reload', async () => {
    const { page, problems } = await open();
    await page.waitForSelector('#connection:text("Live")');
    const task = await place.start('report');
    const row = rowOf(page, task);
    await row.locator('.badge.working').waitFor();
    await row.locator('progress').waitFor();
    expect(await row.textContent()).toContain('45% (450/1000): Counting rows');
    finishReport();
    await row.locator('.badge.completed').waitFor();
    await eventually(() => page.textContent('#statuses .completed .count')).not.toBe('0');
    expect(problems).toEqual([]);
  });

  it('shows history, steps and questions, and payloads only when asked', async () => {
    const task = await place.start('book');
    const { page } = await open(`task=${task.id}`);
    await page.waitForSelector('#task-title .badge.input_required');
    const text = () => page.innerText('#task');
    expect(await text()).toContain('It waits for an answer of its user to one question.');
    expect(await page.locator('.history li').count()).toBe(2);
    expect(await page.content()).not.toContain(SECRET);
    await page.check('#payloads');
    await page.waitForSelector('#task pre');
    expect(await text()).toContain(`Which room, ${SECRET}?`);
    expect(place.actions.at(-1)).toMatchObject({ type: 'payloads_shown', taskId: task.id });
    const [question] =
      task.input.length > 0 ? task.input : (await place.engine.get(ANN, task.id)).input;
    const answers = {
      [question?.key ?? '']: { result: { action: 'accept', content: { room: '7' } } },
    };
    await place.engine.answer(ANN, task.id, answers);
    await page.waitForSelector('#task-title .badge.completed');
    expect(await page.isChecked('#payloads')).toBe(true);
    expect(await page.locator('.history li').count()).toBe(4);
    await page.uncheck('#payloads');
    await eventually(() => page.locator('#task pre').count()).toBe(0);
  });

  it('pages and filters, and goes back and forward', async () => {
    const many = Array.from({ length: 120 }, (_, n) =>
      taskOf(n, {
        owner: 'carol',
        tool: n % 40 === 0 ? 'rare' : 'often',
        status: 'failed',
        version: 2,
      }),
    );
    await insertAll(place.store, many);
    const { page } = await open('owner=carol');
    const count = () => page.locator('#tasks tbody tr').count();
    await eventually(count).toBe(50);
    await page.click('#older');
    await eventually(() => page.textContent('#tasks tbody th')).toBe(many[69]?.id);
    await page.click('#older');
    await eventually(count).toBe(20);
    expect(await page.isVisible('#older')).toBe(false);
    await page.goBack();
    await eventually(() => page.textContent('#tasks tbody th')).toBe(many[69]?.id);
    await page.click('#newest');
    await eventually(() => page.textContent('#tasks tbody th')).toBe(many[119]?.id);
    await page.fill('#by-tool', 'rare');
    await page.keyboard.press('Enter');
    await eventually(count).toBe(3);
    await eventually(() => page.textContent('#found')).toBe('3 tasks.');
    await page.click('#statuses .working');
    await eventually(() => page.textContent('#found')).toBe('No tasks.');
    await page.click('#clear');
    await eventually(() => page.inputValue('#by-tool')).toBe('');
  });

  it('asks little of the board during a burst of changes', async () => {
    const { page } = await open();
    await page.waitForSelector('#connection:text("Live")');
    let asked = 0;
    page.on('request', (request) => (asked += Number(request.url().includes('/api/tasks'))));
    const burst = Array.from({ length: 2_000 }, (_, n) => taskOf(1_000 + n, { owner: 'dave' }));
    await Promise.all(burst.map((task) => place.store.insert(task, NO_CAPS)));
    const last = burst.at(-1);
    if (last) await rowOf(page, last).waitFor();
    expect(asked).toBeLessThan(200);
    expect(await page.locator('#tasks tbody tr').count()).toBe(50);
  });

  it('shows hostile texts as texts, and runs only its own scripts', async () => {
    const tasks = HOSTILE.map((text, n) =>
      taskOf(5_000 + n, {
        ...{ tool: text, owner: text, status: 'failed', statusMessage: text, version: 2 },
        args: JSON.stringify({ [text]: text }),
        steps: [{ name: text, attempt: 1, result: JSON.stringify(text) }],
        input: [{ key: text, method: text, params: JSON.stringify({ message: text }) }],
        trace: { traceparent: text },
      }),
    );
    await insertAll(place.store, tasks);
    const { page, problems } = await open();
    await eventually(() => page.locator('#tasks tbody tr').count()).toBe(50);
    for (const { id } of tasks) {
      await page.evaluate(`location.hash = 'task=${id}'`);
      await page.waitForSelector(`#task-title:has-text("${id}")`);
      await page.check('#payloads');
      await page.waitForSelector('#task pre');
    }
    await page.hover('h1');
    expect(await page.evaluate('globalThis.broken')).toBeUndefined();
    expect(problems).toEqual([]);
  });

  it('has a policy that refuses foreign scripts, and HTML made of text', async () => {
    const { page, problems } = await open();
    await page.waitForSelector('#statuses a');
    const refused = await page.evaluate(`
      const script = document.createElement('script');
      try { document.body.innerHTML = '<b>x</b>'; } catch { globalThis.refused = true; }
      try { script.text = 'globalThis.broken = 1'; document.body.append(script); } catch {}
      const image = document.createElement('img');
      image.src = 'https://example.com/x.png';
      document.body.append(image);
      globalThis.refused;
    `);
    expect(refused).toBe(true);
    await eventually(() => problems.length).toBeGreaterThan(1);
    expect(await page.evaluate('globalThis.broken')).toBeUndefined();
  });

  it('shows how long a task was queued and ran', async () => {
    const at = (task: TaskRecord, waited: number, ran: number): TaskRecord => ({
      ...task,
      queuedUntil: task.createdAt + waited,
      updatedAt: task.createdAt + waited + ran,
    });
    const ended = { owner: 'frank', status: 'completed', version: 2 } as const;
    const { queuedUntil: _, ...unqueued } = at(taskOf(140_001, ended), 0, 250);
    const queued = at(taskOf(140_002, ended), 90_000, 2_000);
    const waiting = taskOf(140_003, { owner: 'frank', queued: true });
    await insertAll(place.store, [unqueued, queued, waiting]);
    const facts = async ({ id }: TaskRecord): Promise<string> => {
      const { page } = await open(`task=${id}`);
      await page.waitForSelector('#task-title .badge');
      return page.innerText('#task');
    };
    expect(await facts(unqueued)).toMatch(/Queued\s+0 ms\s+Running\s+250 ms\s+Total\s+250 ms/);
    expect(await facts(queued)).toMatch(/Queued\s+1 min 30 s\s+Running\s+2 s\s+Total\s+1 min 32 s/);
    expect(await facts(waiting)).toMatch(/Queued\s+Waits for a slot/);
  });

  it('shows all of its texts from 800 px on', async () => {
    const long = taskOf(150_000, { tool: 'tool'.repeat(30), owner: 'owner'.repeat(40) });
    await place.store.insert(long, NO_CAPS);
    const { page } = await open();
    await rowOf(page, long).waitFor();
    await expectFits(page);
    const { page: detail } = await open(`task=${long.id}`);
    await detail.waitForSelector('#task-title .badge');
    await expectFits(detail);
  });

  it('searches on until it has found what is rare', async () => {
    const old = Array.from({ length: 6_000 }, (_, n) => taskOf(200_000 + n, { owner: 'erin' }));
    const rare = [
      taskOf(199_999, { tool: 'needle' }),
      taskOf(206_000, { tool: 'needle' }),
    ] as const;
    await Promise.all([...old, ...rare].map((task) => place.store.insert(task, NO_CAPS)));
    const { page } = await open('tool=needle');
    await eventually(() => page.textContent('#found')).toBe('2 tasks.');
    const ids = await page.locator('#tasks tbody th').allTextContents();
    expect(ids).toEqual([rare[1]?.id, rare[0]?.id]);
    // A new one joins those of older parts.
    const newest = taskOf(206_001, { tool: 'needle' });
    await place.store.insert(newest, NO_CAPS);
    await eventually(() => page.locator('#tasks tbody th').allTextContents()).toEqual([
      newest.id,
      ...ids,
    ]);
    // One of an older part shows what becomes of it.
    const [oldest] = rare;
    const { version } = oldest;
    await place.store.update({ ...oldest, status: 'cancelled', version: version + 1 });
    await rowOf(page, oldest).locator('.badge.cancelled').waitFor();
  });

  it.each([
    ['list', 1280, 'light'],
    ['list', 360, 'dark'],
    ['task', 1280, 'dark'],
    ['task', 360, 'light'],
  ] as const)(
    '%s fits %i px (%s), prints, and has no fault that axe finds',
    async (what, width, colour) => {
      const [asking, failed] = [await place.start('book'), await place.start('print')];
      await eventually(async () => (await place.engine.get(ANN, failed.id)).status).not.toBe(
        'working',
      );
      const viewport = { width, height: 800 };
      // The policy of the page refuses axe as well, so it is lifted here.
      const options = { viewport, colorScheme: colour, bypassCSP: true };
      const at = what === 'task' ? `task=${asking.id}` : `owner=${encodeURIComponent(ANN.owner)}`;
      const { page } = await open(at, options);
      await page.waitForSelector(
        what === 'task' ? '#task-title .badge.input_required' : '#tasks tbody tr',
      );
      if (what === 'task') {
        await page.check('#payloads');
        await page.waitForSelector('#task pre');
      }
      await eventually(() => page.textContent('#connection')).toBe('Live');
      expect(await page.evaluate('document.scrollingElement.scrollWidth')).toBe(width);
      const name = `${what}-${width}-${colour}`;
      await keepPicture(page, process.env['BOARD_PICTURES'], name, { fullPage: true });
      expect(await axeViolations(page)).toEqual([]);
      await page.emulateMedia({ media: 'print' });
      expect(await page.isVisible('#filter')).toBe(false);
      if (width > 360) expect((await page.pdf()).length).toBeGreaterThan(5_000);
    },
  );
});
