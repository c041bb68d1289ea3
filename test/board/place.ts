import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Browser, BrowserContextOptions, Locator, Page } from 'playwright-core';
import { expect, onTestFinished } from 'vitest';
import { createInProcessExecutor } from '../../runtime/executors/in-process/index.js';
import {
  type Board,
  type BoardAction,
  type BoardOptions,
  serveBoard,
} from '../../runtime/admin/board/index.js';
import { openSqliteBeside, openSqliteStore } from '../../runtime/stores/sqlite/index.js';
import {
  type AdministeredStore,
  createTaskEngine,
  type TaskEngine,
  type TaskHandler,
  type TaskRecord,
  type TaskStore,
} from '../../runtime/tasks/index.js';
import { openPage } from '../support/browser.js';
import { temporaryFolder } from '../support/stores.js';
import { leaseElsewhere } from './support.js';

/** The machine may be busy. */
export const eventually = <T>(read: () => T) => expect.poll(read, { timeout: 20_000 });

export const ANN = { owner: '["https://issuer.example","ann","app"]', dialect: 'ext' } as const;
export const SECRET = 'secret-of-ann';

/** Lets the task that was started last with the tool `report` go on. */
export let finishReport: () => void = () => undefined;

const HANDLERS: Readonly<Record<string, TaskHandler>> = {
  report: {
    async run({ task }) {
      await task.step('collect rows', () => ({ rows: 1_200 }));
      task.progress({ progress: 450, total: 1_000, message: 'Counting rows' });
      await new Promise<void>((resolve) => (finishReport = resolve));
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

/** The store of a server, and that of a board beside it, as in a process of its own. */
export interface Stores {
  readonly store: TaskStore;
  readonly beside: AdministeredStore;
  readonly remove: () => void | Promise<void>;
}

export function sqliteStores(): Stores {
  const folder = temporaryFolder();
  const file = join(folder.path, 'tasks.db');
  const store = openSqliteStore({ file });
  return { store, beside: openSqliteBeside({ file }), remove: folder.remove };
}

/** A server's engine, and a board. */
export interface Place {
  readonly store: TaskStore;
  readonly engine: TaskEngine;
  readonly board: Board;
  readonly actions: BoardAction[];
  readonly start: (tool: string) => Promise<TaskRecord>;
  /** Another board on the same store. */
  readonly serve: (options?: Partial<BoardOptions>) => Promise<Board>;
  readonly close: () => Promise<void>;
}

export async function openPlace({ store, beside, remove } = sqliteStores()): Promise<Place> {
  await leaseElsewhere(store);
  const engine = await createTaskEngine({
    store,
    executor: createInProcessExecutor(),
    handlers: ({ tool = '' }) => HANDLERS[tool],
  });
  const actions: BoardAction[] = [];
  const boards: Board[] = [];
  const serve: Place['serve'] = async (options = {}) => {
    const onAction = (action: BoardAction): void => void actions.push(action);
    const board = await serveBoard({ store: beside, onAction, ...options });
    boards.push(board);
    return board;
  };
  return {
    ...{ store, engine, board: await serve(), actions, serve },
    start: (tool) => engine.create(ANN, { method: 'tools/call', tool, args: { token: SECRET } }),
    async close() {
      for (const board of boards) await board.close();
      await beside.close();
      await engine.close(0);
      await store.close();
      await remove();
    },
  };
}

/** Opens a board; what goes wrong in it is listed. `at` is the rest of its fragment. */
export async function openBoard(
  browser: Browser,
  { url }: Board,
  at = '',
  options: BrowserContextOptions = {},
): Promise<{ page: Page; problems: string[] }> {
  const opened = await openPage(browser, url, options);
  const { page } = opened;
  onTestFinished(() => page.context().close());
  if (at !== '') await goTo(page, at);
  return opened;
}

/** As a link does. */
export const goTo = (page: Page, at: string): Promise<unknown> =>
  page.evaluate(`location.hash = ${JSON.stringify(at)}`);

export const rowOf = (page: Page, { id }: { id: string }): Locator =>
  page.locator('#tasks tbody tr', { hasText: id });

/** Lets the answers of the board arrive late. */
export const delayAnswers = (page: Page, ms: number): Promise<unknown> =>
  page.route('**/api/tasks**', async (route) => {
    await sleep(ms);
    await route.continue().catch(() => undefined);
  });
