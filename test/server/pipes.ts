import { PassThrough } from 'node:stream';

import { onTestFinished } from 'vitest';

import { serveStdio, type TaskServer } from '../../runtime/server/index.js';
import type { Dialect, JsonObject } from '../../runtime/tasks/index.js';
import { isSettled, SEEDED } from './seeded.js';
import { REQUESTS } from './drafts.js';
import { type Message, until } from './support.js';

/** A client at the other end of a server's standard input and output. */
export interface Client {
  readonly source: PassThrough;
  readonly lines: string[];
  /** Resolves when the server has ended the connection. */
  readonly closed: Promise<void>;
  write(line: string): void;
  /** Resolves with the answer to a request. */
  request(message: JsonObject): Promise<Message>;
}

export function clientOf(server: TaskServer): Client {
  const [source, target] = [new PassThrough(), new PassThrough()];
  const lines: string[] = [];
  const waiting = new Map<unknown, (answer: Message) => void>();
  let rest = '';
  target.setEncoding('utf8').on('data', (chunk: string) => {
    const parts = (rest + chunk).split('\n');
    rest = parts.pop() ?? '';
    lines.push(...parts);
    for (const part of parts) {
      const message = JSON.parse(part) as Message;
      if (message.method === undefined) waiting.get(message.id)?.(message);
    }
  });
  const handle = serveStdio(server, { source, target });
  onTestFinished(() => handle.close());
  return {
    source,
    lines,
    closed: handle.closed,
    write: (line) => void source.write(`${line}\n`),
    request: (message) =>
      new Promise((resolve) => {
        waiting.set(message['id'], resolve);
        source.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);
      }),
  };
}

export const META = (REQUESTS['ext discover']?.message as { params: { _meta: JsonObject } }).params
  ._meta;

/** Tasks that are created in one millisecond have no order. */
export async function nextMillisecond(): Promise<void> {
  for (const now = Date.now(); Date.now() === now;) {
    await new Promise((resolve) => setImmediate(resolve));
  }
}

/** A request that is answered in both dialects. */
export function probe(dialect: Dialect, id: string): JsonObject {
  return { id, method: 'tools/list', params: dialect === 'ext' ? { _meta: META } : {} };
}

export async function settle(client: Client, dialect: Dialect): Promise<void> {
  if (dialect === 'ext') {
    await client.request({ id: 'discover', method: 'server/discover', params: { _meta: META } });
    await client.request(probe(dialect, 'first'));
    return;
  }
  const clientInfo = { name: 'test', version: '1' };
  const params = { protocolVersion: '2025-11-25', capabilities: {}, clientInfo };
  await client.request({ id: 'initialize', method: 'initialize', params });
  client.write(JSON.stringify({ jsonrpc: '2.0', method: 'notifications/initialized' }));
}

/** Tasks in every status. */
export async function seedPipe(
  client: Client,
  dialect: Dialect,
): Promise<ReadonlyMap<string, string>> {
  const names = new Map<string, string>();
  const meta = dialect === 'ext' ? { _meta: META } : {};
  for (const [name, tool, args] of SEEDED) {
    await nextMillisecond();
    const task = dialect === 'core' ? { task: { ttl: 600_000 } } : {};
    const params = { name: tool, arguments: args, ...task, ...meta };
    const { result } = await client.request({ id: `seed-${name}`, method: 'tools/call', params });
    const made = dialect === 'core' ? (result?.['task'] as JsonObject) : result;
    names.set(`${dialect}-${name}`, String(made?.['taskId']));
  }
  let polls = 0;
  for (const name of ['working', 'completed', 'failed', 'error', 'asking']) {
    const taskId = names.get(`${dialect}-${name}`);
    await until(
      () => client.request({ id: `p${++polls}`, method: 'tasks/get', params: { taskId, ...meta } }),
      isSettled,
    );
  }
  return names;
}
