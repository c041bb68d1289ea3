import { onTestFinished } from 'vitest';

import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

import type { NodeHandler, TaskServer } from '../../runtime/server/index.js';
import { type Answer, legacy, modern, until } from './support.js';
import { tokenOf } from './tokens.js';
import { hold } from './tools.js';

/** The events that a request causes, and not the time. */
export const AT_ONCE: ReadonlySet<string> = new Set([
  'created',
  'deduplicated',
  'retrieved',
  'listed',
  'cancelled',
  'input_answered',
  'refused',
]);

/** What answers the requests of Node's HTTP server. */
export interface Listening extends Pick<NodeHandler, 'close'> {
  readonly handle: (incoming: IncomingMessage, outgoing: ServerResponse) => unknown;
}

/** Serves at an address until the test ends. */
export async function served(server: TaskServer, handler: Listening): Promise<string> {
  const http = createServer((incoming, outgoing) => void handler.handle(incoming, outgoing));
  await new Promise<void>((resolve) => http.listen(0, '127.0.0.1', resolve));
  onTestFinished(async () => {
    hold('forever').release();
    await handler.close();
    http.closeAllConnections();
    http.close();
    await server.close(0);
  });
  return `http://127.0.0.1:${(http.address() as AddressInfo).port}/mcp`;
}

/** Tasks in every status: name, tool and arguments. */
export const SEEDED = [
  ['working', 'held', { label: 'forever' }],
  ['cancelable', 'wait', { ms: 1e8 }],
  ['completed', 'wait', { ms: 0 }],
  ['failed', 'broken', {}],
  ['error', 'failing', {}],
  ['asking', 'asks', {}],
] as const;

/** Tasks in every status in both dialects, a task of another owner, and a session. */
export async function seed(url: string): Promise<ReadonlyMap<string, string>> {
  const target = {
    http: {
      fetch: (web: Request) =>
        fetch(url, {
          method: web.method,
          headers: web.headers,
          body: web.body,
          duplex: 'half',
        }),
    },
  };
  const names = new Map<string, string>();
  for (const [name, tool, args] of SEEDED) {
    const { result } = await modern(target, 'tools/call', { name: tool, arguments: args });
    names.set(`ext-${name}`, String(result?.['taskId']));
  }
  const foreign = await modern(
    target,
    'tools/call',
    { name: 'held', arguments: { label: 'forever' } },
    { token: tokenOf('bob') },
  );
  names.set('ext-foreign', String(foreign.result?.['taskId']));
  const session = await legacy(target);
  names.set('session', session.sessionId);
  for (const [name, tool, args] of SEEDED) {
    const params = { name: tool, arguments: args, task: { ttl: 600_000 } };
    const { result } = await session.request('tools/call', params);
    names.set(`core-${name}`, String((result?.['task'] as { taskId: string }).taskId));
  }
  for (const name of ['working', 'completed', 'failed', 'error', 'asking']) {
    const taskId = names.get(`ext-${name}`) ?? '';
    await until(() => modern(target, 'tasks/get', { taskId }), isSettled);
    const id = names.get(`core-${name}`) ?? '';
    await until(() => session.request('tasks/get', { taskId: id }), isSettled);
  }
  return names;
}

/** Whether a task of `SEEDED` stays as it is. The one that works writes its progress a moment after it began. */
export function isSettled({ result }: Pick<Answer, 'result'>): boolean {
  return result?.['status'] !== 'working' || result['statusMessage'] !== undefined;
}

export function filled(text: string, names: ReadonlyMap<string, string>): string {
  return text.replace(/\{([\w-]+)\}/g, (whole, name: string) => names.get(name) ?? whole);
}
