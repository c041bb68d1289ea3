import { request } from 'node:http';
import { onTestFinished } from 'vitest';
import {
  type BoardAction,
  type BoardOptions,
  serveBoard,
} from '../../runtime/admin/board/index.js';
import { createMemoryStore } from '../../runtime/stores/index.js';
import { NO_CAPS, sampleTask } from '../../runtime/testing/testkit/index.js';
import type { TaskRecord, TaskStore } from '../../runtime/tasks/index.js';

export interface Reply {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly text: string;
  /** The text as JSON. */
  readonly value: unknown;
}

export interface Call {
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string | readonly string[]>>;
  readonly body?: string;
}

export interface TestBoard {
  readonly url: URL;
  readonly token: string;
  readonly store: TaskStore;
  readonly actions: BoardAction[];
  readonly faults: unknown[];
  /** With the token, as the page asks. */
  readonly ask: (path: string, call?: Call) => Promise<Reply>;
  /** With exactly these headers. */
  readonly send: (path: string, call?: Call) => Promise<Reply>;
  readonly post: (path: string, body?: unknown) => Promise<Reply>;
  readonly close: () => Promise<void>;
}

export async function startBoard(options: Partial<BoardOptions> = {}): Promise<TestBoard> {
  const store = (options.store ?? createMemoryStore()) as TaskStore;
  const actions: BoardAction[] = [];
  const faults: unknown[] = [];
  const board = await serveBoard({
    onAction: (action) => actions.push(action),
    onFault: (error) => faults.push(error),
    ...options,
    store,
  });
  const close = (): Promise<void> => board.close();
  onTestFinished(close);
  const url = new URL(board.url);
  const token = url.hash.replace('#token=', '');
  const send = (path: string, call: Call = {}): Promise<Reply> => sent(url, path, call);
  const ask = (path: string, { headers, ...call }: Call = {}): Promise<Reply> =>
    send(path, { ...call, headers: { authorization: `Bearer ${token}`, ...headers } });
  const post = (path: string, body: unknown = {}): Promise<Reply> =>
    ask(path, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
  return { url, token, store, actions, faults, ask, send, post, close };
}

/** Not by `fetch`, which sets Host and refuses the headers that browsers set. */
function sent({ hostname, port }: URL, path: string, call: Call): Promise<Reply> {
  const { method = 'GET', headers = {}, body } = call;
  return new Promise((resolve, reject) => {
    const outgoing = request(
      { hostname, port, path, method, headers: headers as Record<string, string> },
      (incoming) => {
        const chunks: Buffer[] = [];
        incoming.on('data', (chunk: Buffer) => chunks.push(chunk));
        incoming.on('error', reject);
        incoming.on('end', () => {
          const text = Buffer.concat(chunks).toString();
          const isJson = incoming.headers['content-type'] === 'application/json';
          const { statusCode: status = 0, headers: received } = incoming;
          const value: unknown = isJson && text !== '' ? JSON.parse(text) : undefined;
          resolve({ status, headers: received, text, value });
        });
      },
    );
    outgoing.on('error', reject);
    outgoing.end(body);
  });
}

export async function insertAll(store: TaskStore, tasks: readonly TaskRecord[]): Promise<void> {
  for (const task of tasks) {
    const { outcome: _, ...fresh } = task;
    await store.insert({ ...fresh, status: 'working', version: 1 }, NO_CAPS);
    if (task.version > 1) await store.update({ ...task, version: 2 });
  }
}

const NOW = Date.now();

const HOUR = 3_600_000;
const ELSEWHERE = 'another server';

/** Without the lease, an engine on this store would end the tasks of `taskOf`, for whose tool it has no handler. */
export const leaseElsewhere = (store: TaskStore): Promise<void> =>
  store.renew(ELSEWHERE, NOW + HOUR);

/** A task of an hour, which another server runs; greater numbers are newer. */
export function taskOf(n: number, overrides: Partial<TaskRecord> = {}): TaskRecord {
  const times = { createdAt: NOW, updatedAt: NOW, ttl: HOUR };
  return sampleTask(n, { ...times, worker: ELSEWHERE, ...overrides });
}
