import { expect, it } from 'vitest';

import { httpTransport } from '../../runtime/client/transports/http.js';
import type { CallError } from '../../runtime/client/index.js';
import { defineResource } from '../../runtime/server/index.js';
import { release } from '../server/tools.js';
import { type Message, RESOURCE, rig, tokenOf, until } from '../server/support.js';
import { connect, type Connected } from './harness.js';

const catalog = defineResource({
  uri: 'shop://catalog',
  name: 'catalog',
  read: () => ({ text: 'Screws' }),
});

const headers = { host: 'localhost', authorization: `Bearer ${tokenOf('ann')}` };

/** A client in a session of a server over HTTP, whose answers `answer` may replace. */
async function inSession(answer: (request: Request) => Response | undefined = () => undefined) {
  const { server, http } = await rig({ resources: [catalog], logging: true });
  const connected = await connect(
    httpTransport(new URL(RESOURCE), {
      headers,
      fetch: (url, init) => {
        const request = new Request(url, init);
        return Promise.resolve(answer(request) ?? http.fetch(request));
      },
    }),
    'core',
  );
  const id = (): string => connected.tasks.session?.id ?? '';
  async function end(): Promise<void> {
    const request = { method: 'DELETE', headers: { ...headers, 'mcp-session-id': id() } };
    expect((await http.fetch(new Request(RESOURCE, request))).status).toBe(200);
  }
  return { ...connected, server, id, end };
}

const sentOf = ({ sent }: Pick<Connected, 'sent'>, method: string): readonly Message[] =>
  sent.filter((each) => each.method === method);

const statusOfCause = ({ cause }: CallError): unknown =>
  (cause as { data?: { status?: unknown } }).data?.status;

it('requests whose session has ended are sent again in one other session', async () => {
  const { tasks, id, end, ...traffic } = await inSession();
  const before = id();
  await end();
  const all = Array.from({ length: 20 }, () => tasks.request('tools/list'));
  for (const { tools } of await Promise.all(all)) expect(tools).not.toHaveLength(0);
  expect(id()).not.toBe(before);
  expect(sentOf(traffic, 'initialize')).toHaveLength(2);
  expect(sentOf(traffic, 'notifications/initialized')).toHaveLength(2);
  expect(traffic.problems).toEqual([]);
});

it('a call goes on with its task', async () => {
  const { tasks, end, ...traffic } = await inSession();
  const label = 'ended session';
  const handle = await tasks.start('held', { label });
  await end();
  await until(
    () => Promise.resolve(sentOf(traffic, 'initialize').length),
    (count) => count === 2,
  );
  release(label);
  expect((await handle.result()).isError).not.toBe(true);
});

it('the other session has the level and the subscriptions of the one before', async () => {
  const { tasks, server, end, ...traffic } = await inSession();
  const changes: unknown[] = [];
  const { uri } = catalog;
  await tasks.subscribe({ uris: [uri] }, (change) => changes.push(change));
  await tasks.setLogLevel('warning');
  await end();
  await tasks.request('ping');
  await until(
    () => Promise.resolve(sentOf(traffic, 'logging/setLevel')),
    (all) => all.length === 2,
  );
  await tasks.request('ping');
  await until(
    () => {
      server.notify.resourceUpdated(uri);
      return Promise.resolve(changes.length);
    },
    (count) => count > 0,
  );
  expect(changes[0]).toEqual({ uri });
});

it('a server that knows none of its sessions is asked for another one once by each request', async () => {
  const gone = () => new Response('Session not found', { status: 404 });
  let isOut = false;
  const { tasks, ...traffic } = await inSession((request) =>
    isOut && request.headers.has('mcp-session-id') ? gone() : undefined,
  );
  isOut = true;
  for (const count of [2, 3]) {
    const error = await tasks.request('ping').catch((reason: unknown) => reason as CallError);
    expect(error).toMatchObject({ reason: 'lost' });
    expect(statusOfCause(error as CallError)).toBe(404);
    expect(sentOf(traffic, 'initialize')).toHaveLength(count);
  }
});

it('an address that has no server any more gets one attempt', async () => {
  let isOut = false;
  const { tasks, ...traffic } = await inSession(() =>
    isOut ? new Response('Not found', { status: 404 }) : undefined,
  );
  isOut = true;
  const error = await tasks.request('ping').catch((reason: unknown) => reason as CallError);
  expect(error).toMatchObject({ reason: 'lost' });
  expect(sentOf(traffic, 'initialize')).toHaveLength(2);
  isOut = false;
  await expect(tasks.request('ping')).resolves.toEqual({});
});
