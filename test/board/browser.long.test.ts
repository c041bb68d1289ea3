import { existsSync, mkdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { chromium } from 'playwright-core';
import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { type Board, type BoardAction, serveBoard } from '../../runtime/board/index.js';
import { openSqliteBeside, openSqliteStore } from '../../runtime/stores/sqlite/index.js';
import { createInProcessExecutor } from '../../runtime/executors/in-process/index.js';
import {
  type AdministeredStore,
  createTaskEngine,
  type TaskEngine,
  type TaskHandler,
  type TaskRecord,
  type TaskStore,
} from '../../runtime/tasks/index.js';
import { NO_CAPS } from '../../runtime/stores/testkit.js';
import { temporaryFolder } from '../support/stores.js';
import { HOSTILE } from './hostile.js';
import { insertAll, taskOf } from './support.js';

const CHROMIUM = '/usr/bin/chromium';
const ARGUMENTS = ['--headless', '--no-sandbox', '--disable-gpu', '--no-first-run'];
const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
/** Keeps pictures of the pages, when a folder is given. */
const PICTURES = process.env['BOARD_PICTURES'];

/** The machine may be busy. */
const eventually = <T>(read: () => T) => expect.poll(read, { timeout: 20_000 });

const ANN = { owner: '["https://issuer.example","ann","app"]', dialect: 'ext' } as const;
const SECRET = 'secret-of-ann';

/** Opens for the handler that waits at it. */
let opened: () => void = () => undefined;

const HANDLERS: Readonly<Record<string, TaskHandler>> = {
  report: {
    async run({ task }) {
      await task.step('collect rows', () => ({ rows: 1_200 }));
      task.progress({ progress: 450, total: 1_000, message: 'Counting rows' });
      await new Promise<void>((resolve) => (opened = resolve));
      return { content: [{ type: 'text', text: SECRET }] };
    },
  },
  book: {
    async run({ task }) {
      const requestedSchema = { type: 'object', properties: { room: { type: 'string' } } };
      await task.elicit({ message: `Which room, ${SECRET}?`, requestedSchema });
      return { content: [] };
    },
  },
  print: { run: () => Promise.reject(new Error('Out of paper')) },
  wait: {
    run: ({ task: { signal } }) =>
      new Promise((_, reject) => {
        signal.addEventListener('abort', () => reject(new Error('stopped')));
      }),
  },
};

/** A server's engine on its file, and a board on a second connection, as in a process of its own. */
interface Place {
  readonly store: TaskStore;
  readonly engine: TaskEngine;
  readonly board: Board;
  readonly actions: BoardAction[];
  readonly start: (tool: string) => Promise<TaskRecord>;
  readonly close: () => Promise<void>;
}

async function openPlace(): Promise<Place> {
  const folder = temporaryFolder();
  const file = join(folder.path, 'tasks.db');
  const store = openSqliteStore({ file });
  const engine = await createTaskEngine({
    store,
    executor: createInProcessExecutor(),
    handlers: ({ tool = '' }) => HANDLERS[tool],
  });
  const beside: AdministeredStore = openSqliteBeside({ file });
  const actions: BoardAction[] = [];
  const board = await serveBoard({ store: beside, onAction: (action) => actions.push(action) });
  return {
    ...{ store, engine, board, actions },
    start: (tool) =>
      engine.create(ANN, {
        method: 'tools/call',
        tool,
        args: { token: SECRET },
      }),
    async close() {
      await board.close();
      await beside.close();
      await engine.close(0);
      await store.close();
      folder.remove();
    },
  };
}

describe.skipIf(!existsSync(CHROMIUM))('the board in Chromium', () => {
  let browser: Browser;
  let place: Place;
  beforeAll(async () => {
    browser = await chromium.launch({ executablePath: CHROMIUM, args: ARGUMENTS });
    place = await openPlace();
  });
  afterAll(async () => {
    await browser.close();
    await place.close();
  });

  /** Opens the board; what goes wrong in it is listed. `at` is the rest of its fragment. */
  async function open(
    options: BrowserContextOptions = {},
    at = '',
  ): Promise<{ page: Page; problems: string[] }> {
    const context = await browser.newContext(options);
    onTestFinished(() => context.close());
    const page = await context.newPage();
    const problems: string[] = [];
    page.on('console', (message) => problems.push(message.text()));
    page.on('pageerror', (error) => problems.push(error.message));
    page.on('dialog', (dialog) => problems.push(dialog.message()));
    page.on('request', (request) => {
      if (!request.url().startsWith(new URL(place.board.url).origin)) problems.push(request.url());
    });
    await page.goto(place.board.url);
    if (at !== '') await page.evaluate(`location.hash = ${JSON.stringify(at)}`);
    return { page, problems };
  }

  const rowOf = (page: Page, { id }: TaskRecord) =>
    page.locator('#tasks tbody tr', { hasText: id });

  async function picture(page: Page, name: string): Promise<void> {
    if (PICTURES === undefined) return;
    mkdirSync(PICTURES, { recursive: true });
    await page.screenshot({ path: join(PICTURES, `${name}.png`), fullPage: true });
  }

  it('shows tasks as they come and go, without a reload', async () => {
    const { page, problems } = await open();
    await page.waitForSelector('#connection:text("Live")');
    const task = await place.start('report');
    const row = rowOf(page, task);
    await row.locator('.badge.working').waitFor();
    await row.locator('progress').waitFor();
    expect(await row.textContent()).toContain('45% (450/1000): Counting rows');
    opened();
    await row.locator('.badge.completed').waitFor();
    await eventually(() => page.textContent('#statuses .completed .count')).not.toBe('0');
    expect(problems).toEqual([]);
  });

  it('takes the secret out of the address, and keeps it for a reload', async () => {
    const { page } = await open();
    await page.waitForSelector('#statuses a');
    expect(page.url()).not.toContain('token');
    await page.reload();
    await page.waitForSelector('#connection:text("Live")');
    expect(await page.isVisible('#access')).toBe(false);
  });

  it('asks for the secret where it is missing or wrong', async () => {
    const { page } = await open();
    await page.evaluate('sessionStorage.clear()');
    await page.goto('about:blank');
    await page.goto(place.board.url.replace(/#.*/, ''));
    await page.waitForSelector('#access:not([hidden])');
    expect(await page.isVisible('#list')).toBe(false);
    await page.fill('#token', 'wrong');
    await page.keyboard.press('Enter');
    await eventually(() => page.inputValue('#token')).toBe('');
    await page.fill('#token', new URL(place.board.url).hash.replace('#token=', ''));
    await page.keyboard.press('Enter');
    await page.waitForSelector('#list:not([hidden])');
  });

  it.each([0, 300])('cancels and retries a task by keyboard, answers %i ms late', async (ms) => {
    const first = await place.start('wait');
    const { page, problems } = await open();
    await page.route('**/api/tasks**', async (route) => {
      await sleep(ms);
      await route.continue().catch(() => undefined);
    });
    await rowOf(page, first).waitFor();
    await page.keyboard.press('/');
    await page.keyboard.type(first.id);
    await page.keyboard.press('Enter');
    await eventually(() => page.locator('#tasks tbody tr').count()).toBe(1);
    await page.focus(`#tasks a[href="#task=${first.id}"]`);
    await page.keyboard.press('Enter');
    await page.waitForSelector('#cancel');
    await page.focus('#cancel');
    await page.keyboard.press('Enter');
    // The answer that changes nothing first.
    await page.waitForSelector('#confirm[open]');
    await page.keyboard.press('Escape');
    await eventually(() => page.evaluate('document.activeElement.id')).toBe('cancel');
    await page.keyboard.press('Enter');
    await page.waitForSelector('#confirm[open]');
    await page.focus('#confirm-yes');
    await page.keyboard.press('Enter');
    await page.waitForSelector('#task-title .badge.cancelled');
    await eventually(() => page.textContent('#said')).toBe('The task is cancelled.');
    await eventually(async () => (await place.engine.get(ANN, first.id)).status).toBe('cancelled');

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
    expect(place.actions.slice(-2)).toMatchObject([
      { type: 'cancelled', taskId: first.id },
      { type: 'retried', taskId: first.id },
    ]);
    expect(problems).toEqual([]);
  });

  it('shows history, steps and questions, and payloads only when asked', async () => {
    const task = await place.start('book');
    const { page } = await open({}, `task=${task.id}`);
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
    const { page } = await open({}, 'owner=carol');
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
    expect(await page.textContent('#found')).toBe('3 tasks.');
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

  it('searches on until it has found what is rare', async () => {
    const old = Array.from({ length: 6_000 }, (_, n) => taskOf(200_000 + n, { owner: 'erin' }));
    const rare = [taskOf(199_999, { tool: 'needle' }), taskOf(206_000, { tool: 'needle' })];
    await Promise.all([...old, ...rare].map((task) => place.store.insert(task, NO_CAPS)));
    const { page } = await open({}, 'tool=needle');
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
      const { page } = await open(
        options,
        what === 'task' ? `task=${asking.id}` : `owner=${encodeURIComponent(ANN.owner)}`,
      );
      await page.waitForSelector(
        what === 'task' ? '#task-title .badge.input_required' : '#tasks tbody tr',
      );
      if (what === 'task') {
        await page.check('#payloads');
        await page.waitForSelector('#task pre');
      }
      await eventually(() => page.textContent('#connection')).toBe('Live');
      expect(await page.evaluate('document.scrollingElement.scrollWidth')).toBe(width);
      await picture(page, `${what}-${width}-${colour}`);
      await page.addScriptTag({ content: AXE });
      const violations = await page.evaluate(async () => {
        const { axe } = globalThis as unknown as { axe: Axe };
        const tags = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa'];
        const result = await axe.run({ runOnly: tags });
        return result.violations.map(({ id, nodes }) => `${id}: ${nodes[0]?.html ?? ''}`);
      });
      expect(violations).toEqual([]);
      await page.emulateMedia({ media: 'print' });
      expect(await page.isVisible('#filter')).toBe(false);
      if (width > 360) expect((await page.pdf()).length).toBeGreaterThan(5_000);
    },
  );
});

interface Axe {
  run(options: object): Promise<{ violations: { id: string; nodes: { html: string }[] }[] }>;
}
