import { describe, expect, it } from 'vitest';
import { METHODS } from '../../runtime/protocol.js';
import { INFO } from '../server/clients.js';
import { HELLO, type Line, playing, written } from './written.js';

interface Message {
  readonly id?: unknown;
  readonly method?: string;
  readonly result?: unknown;
  readonly error?: { readonly code: number };
}

/** Sends these messages one after another, and answers questions. Resolves with all that came, once `isLast` does. */
async function received(
  lines: readonly Line[],
  sent: readonly object[],
  isLast: (message: Message) => boolean,
): Promise<Message[]> {
  const transport = (await playing(written(lines))).transport();
  const all: Message[] = [];
  const last = new Promise<void>((resolve) => {
    transport.onmessage = (message: Message) => {
      all.push(message);
      if (message.method !== undefined && message.id !== undefined) {
        void transport.send({ jsonrpc: '2.0', id: message.id, result: { roots: [] } });
      }
      if (isLast(message)) resolve();
    };
  });
  await transport.start();
  const params = { protocolVersion: '2025-11-25', capabilities: { roots: {} }, clientInfo: INFO };
  await transport.send({ jsonrpc: '2.0', id: 0, method: METHODS.initialize, params });
  await transport.send({ jsonrpc: '2.0', method: METHODS.notificationsInitialized });
  for (const message of sent) await transport.send({ jsonrpc: '2.0', ...message });
  await last;
  await transport.close();
  return all;
}

const CHANGED = { method: METHODS.notificationsToolsListChanged };

describe('a mock leaves nothing out and adds nothing', () => {
  const asking: Line[] = [
    ['<', { id: 7, method: METHODS.rootsList }],
    ['>', { id: 7, result: { roots: [] } }],
    ['<', CHANGED],
  ];

  it.each([
    ['the handshake', [...HELLO, ...asking], []],
    [
      'an error',
      [
        ...HELLO,
        ['>', { id: 1, method: 'x/y' }],
        ['<', { id: 1, error: { code: -1, message: 'no' } }],
        ...asking,
      ],
      [{ id: 1, method: 'x/y' }],
    ],
  ] as [string, Line[], object[]][])(
    'when the server asks without an open request, after %s',
    async (_, lines, sent) => {
      const all = await received(lines, sent, ({ method }) => method === CHANGED.method);
      expect(all.filter(({ method }) => method !== undefined)).toEqual([
        { jsonrpc: '2.0', id: 0, method: METHODS.rootsList },
        { jsonrpc: '2.0', ...CHANGED },
      ]);
    },
  );

  it('when messages of a call have no params', async () => {
    const lines: Line[] = [
      ...HELLO,
      ['>', { id: 1, method: 'x/y' }],
      ['<', CHANGED],
      ['<', { id: 7, method: METHODS.rootsList }],
      ['>', { id: 7, result: { roots: [] } }],
      ['<', { id: 1, result: {} }],
    ];
    const all = await received(
      lines,
      [{ id: 1, method: 'x/y' }],
      ({ id, result }) => id === 1 && result !== undefined,
    );
    expect(all.slice(1)).toEqual([
      { jsonrpc: '2.0', ...CHANGED },
      { jsonrpc: '2.0', id: 0, method: METHODS.rootsList },
      { jsonrpc: '2.0', id: 1, result: {} },
    ]);
  });
});

it.each([
  ['completed', -32602],
  ['failed', -32602],
  ['working', undefined],
])('a task that is %s is cancelled as the runtime does it', async (status, code) => {
  const task = (is: string) => ({
    ...{ taskId: 'one', status: is, ttl: null, pollInterval: 1 },
    ...{ createdAt: '2026-01-01T00:00:00Z', lastUpdatedAt: '2026-01-01T00:00:00Z' },
  });
  const call = { method: METHODS.toolsCall, params: { name: 'echo', arguments: {}, task: {} } };
  const get = { method: METHODS.tasksGet, params: { taskId: 'one' } };
  const lines: Line[] = [
    ...HELLO,
    ['>', { id: 1, ...call }],
    ['<', { id: 1, result: { task: task('working') } }],
    ['>', { id: 2, ...get }],
    ['<', { id: 2, result: task(status) }],
  ];
  const transport = (await playing(written(lines))).transport();
  const answers = new Map<unknown, (message: Message) => void>();
  transport.onmessage = (message: Message) => answers.get(message.id)?.(message);
  await transport.start();
  const request = (id: number, asked: object): Promise<Message> =>
    new Promise((resolve) => {
      answers.set(id, resolve);
      void transport.send({ jsonrpc: '2.0', id, ...asked });
    });
  const params = { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: INFO };
  await request(0, { method: METHODS.initialize, params });
  await request(1, call);
  expect((await request(2, get)).result).toMatchObject({ status });
  const cancel = { method: METHODS.tasksCancel, params: { taskId: 'one' } };
  const cancelled = await request(3, cancel);
  expect(cancelled.error?.code).toBe(code);
  if (code === undefined) expect(cancelled.result).toMatchObject({ status: 'cancelled' });
  expect((await request(4, cancel)).error?.code).toBe(-32602);
  await transport.close();
});
