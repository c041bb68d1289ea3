import { SpanKind } from '@opentelemetry/api';
import { onTestFinished } from 'vitest';

import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

import {
  createTaskServer,
  type RefusedRequest,
  type TaskServer,
} from '../../runtime/server/index.js';
import { createNodeParts, type NodeHandler } from '../../runtime/server/node-handler.js';
import type { AuditEvent } from '../../runtime/tasks/index.js';
import type { Recorded } from '../support/telemetry.js';
import { withoutNames } from '../support/twin/names.js';
import { exchange, request } from './raw.js';
import { type Answer, legacy, modern, until } from './support.js';
import { authorization, tokenOf } from './tokens.js';
import { hold, testTools } from './tools.js';

/** One HTTP request. Text in braces names a task or a session of the server that gets it. */
export interface Sent {
  readonly line: string;
  readonly headers: readonly (readonly [string, string])[];
  readonly body: string;
}

/** What a server did with a request, without what differs from one server to the other. */
export interface Seen {
  readonly status: number | undefined;
  readonly headers: readonly string[];
  readonly body: string;
  readonly audit: readonly string[];
  readonly refused: readonly RefusedRequest[];
  readonly problems: readonly string[];
  /** Of the request itself: name, attributes and status. */
  readonly spans: readonly string[];
}

/** A server over HTTP, with its door open or shut, and the same tasks. */
export interface Way {
  send(sent: Sent): Promise<Seen>;
}

/** The same server twice: one answers what it can at its door, the SDK answers everything of the other. */
export function bothWays(recorded: Recorded): Promise<readonly [Way, Way]> {
  return Promise.all([way(true, recorded), way(false, recorded)]);
}

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
const MAX_BODY = 2 ** 18;

/** Serves at an address until the test ends. */
export async function served(server: TaskServer, handler: NodeHandler): Promise<string> {
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

async function way(withDoor: boolean, recorded: Recorded): Promise<Way> {
  const audit: AuditEvent[] = [];
  const refused: RefusedRequest[] = [];
  const problems: Error[] = [];
  const server = await createTaskServer({
    name: 'test',
    version: '1.0.0',
    title: 'Test',
    tools: testTools,
    audit: (event) => void audit.push(event),
    onError: (error) => problems.push(error),
  });
  const { handler } = createNodeParts(
    server,
    { auth: authorization, maxBodyBytes: MAX_BODY, onRefused: (each) => refused.push(each) },
    withDoor,
  );
  const url = await served(server, handler);
  const names = await seed(url);

  return {
    async send({ line, headers, body }) {
      audit.length = refused.length = problems.length = 0;
      const earlier = recorded.spans().length;
      const sentHeaders = headers.map(([name, value]) => [name, filled(value, names)] as const);
      const text = filled(body, names);
      const length: readonly [string, string][] =
        body === '' ? [] : [['Content-Length', String(Buffer.byteLength(text))]];
      const all = [...sentHeaders, ...length, ['Connection', 'close']] as const;
      const answer = await exchange(url, request(line, all, text));
      const [, ...head] = answer.head.split('\r\n');
      const masked = (value: string): string => withoutIds(value, names);
      return {
        status: answer.status,
        headers: head
          .filter((each) => !/^(date|content-length):/i.test(each))
          .map(masked)
          .sort(),
        body: masked(answer.text.slice(answer.head.length)),
        audit: audit
          .filter(({ type }) => AT_ONCE.has(type))
          .map(({ at: _, ...event }) => masked(JSON.stringify(event))),
        refused: [...refused],
        problems: problems.map(({ message }) => masked(message)),
        spans: recorded
          .spans()
          .slice(earlier)
          .filter(({ kind }) => kind === SpanKind.SERVER)
          .map(({ name, attributes, status }) =>
            masked(JSON.stringify([name, Object.entries(attributes).sort(), status])),
          ),
      };
    },
  };
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

export function withoutIds(text: string, names: ReadonlyMap<string, string>): string {
  let masked = text;
  for (const [name, id] of names) masked = masked.replaceAll(id, `{${name}}`);
  return withoutNames(masked);
}
