import { McpServer } from '@modelcontextprotocol/server';
import { describe, expect, it } from 'vitest';
import * as z from 'zod';

import { Outbox } from '../../../runtime/server/features/outbox.js';
import { definePrompt } from '../../../runtime/server/prompt.js';
import { defineResource } from '../../../runtime/server/resource.js';
import { defineTool } from '../../../runtime/server/tool.js';
import type { JsonObject } from '../../../runtime/tasks/index.js';
import { CORE, EXT, SESSIONS, serverOf, settled, wireOf } from './wire.js';

const options = {
  tools: [defineTool({ name: 't', description: '', input: z.object({}), run: () => '' })],
  prompts: [definePrompt({ name: 'p', get: () => '' })],
  resources: [defineResource({ uri: 'x:r', name: 'r', read: () => ({ text: '' }) })],
};

const UPDATED = 'notifications/resources/updated';
const LISTS = ['notifications/prompts/list_changed', 'notifications/resources/list_changed'];
const TOOLS = 'notifications/tools/list_changed';

describe.each(SESSIONS)('a session of %s', (version) => {
  it('gets the changes of lists, and of the resources that it watches', async () => {
    const { server, request, notifications } = await wireOf(version, options);
    const { notify } = server;
    await request('resources/subscribe', { uri: 'x:r' });
    await request('resources/subscribe', { uri: 'x:later' });
    notify.promptsChanged();
    notify.resourcesChanged();
    for (const uri of ['x:r', 'x:other', 'x:later']) notify.resourceUpdated(uri);
    await settled();
    expect(notifications).toEqual([
      ...LISTS.map((method) => ({ method, params: {} })),
      { method: UPDATED, params: { uri: 'x:r' } },
      { method: UPDATED, params: { uri: 'x:later' } },
    ]);
    notifications.length = 0;
    await request('resources/unsubscribe', { uri: 'x:r' });
    await request('resources/unsubscribe', { uri: 'x:never' });
    for (const uri of ['x:r', 'x:later']) notify.resourceUpdated(uri);
    await settled();
    expect(notifications).toEqual([{ method: UPDATED, params: { uri: 'x:later' } }]);
  });

  it('watches at most 1,000 resources, of URIs that are not too long', async () => {
    const { request, session } = await wireOf(version, options);
    for (let n = 0; n < 1_000; n += 1) session?.resources.add(`x:${n}`);
    await request('resources/subscribe', { uri: 'x:7' });
    await expect(request('resources/subscribe', { uri: 'x:more' })).rejects.toMatchObject({
      code: 429,
      data: { reason: 'limit', limit: 'watchedResources', max: 1_000 },
    });
    await request('resources/unsubscribe', { uri: 'x:7' });
    await request('resources/subscribe', { uri: 'x:more' });
    await request('resources/unsubscribe', { uri: 'x:8' });
    const uri = 'x:'.padEnd(10_000, 'y');
    await expect(request('resources/subscribe', { uri })).rejects.toMatchObject({ code: -32602 });
  });

  it('watches at most 262,144 characters of URIs', async () => {
    const { request, session } = await wireOf(version, options);
    const uriOf = (n: number): string => `x:${n}`.padEnd(8_192, 'y');
    for (let n = 0; n < 32; n += 1) await request('resources/subscribe', { uri: uriOf(n) });
    await request('resources/subscribe', { uri: uriOf(0) });
    await expect(request('resources/subscribe', { uri: 'x:more' })).rejects.toMatchObject({
      code: 429,
      data: { reason: 'limit', limit: 'watchedCharacters', max: 262_144 },
    });
    expect(session?.resources.size).toBe(32);
  });

  it('leaves when its connection closes', async () => {
    const { server, request, session, standalone } = await wireOf(version, options);
    await request('resources/subscribe', { uri: 'x:r' });
    session?.peer.close();
    server.notify.promptsChanged();
    server.notify.resourceUpdated('x:r');
    await settled();
    expect(standalone.sent).toEqual([]);
  });
});

it('all sessions and requests of all endpoints get a change', async () => {
  const served = await serverOf(options);
  const sessions = await Promise.all(SESSIONS.map((version) => wireOf(version, {}, { served })));
  const other = await wireOf(EXT, {}, { served });
  const { line } = other.open('subscriptions/listen', {
    notifications: { promptsListChanged: true },
  });
  await settled();
  served.server.notify.promptsChanged();
  await settled();
  for (const { notifications } of sessions) expect(notifications).toHaveLength(1);
  expect(line.sent).toHaveLength(2);
  expect(served.errors).toEqual([]);
});

it('a client that does not read gets each change once, in their order', async () => {
  const { server, request, standalone } = await wireOf(CORE, options);
  await request('resources/subscribe', { uri: 'x:r' });
  standalone.hold();
  for (let n = 0; n < 1_000; n += 1) {
    server.notify.promptsChanged();
    server.notify.resourceUpdated('x:r');
    server.notify.resourcesChanged();
  }
  await settled();
  expect(standalone.sent.map(({ method }) => method)).toEqual([LISTS[0]]);
  standalone.release();
  await settled();
  // The first one was on its way, so that a later one of its kind waits.
  expect(standalone.sent.map(({ method }) => method)).toEqual([
    LISTS[0],
    UPDATED,
    LISTS[1],
    LISTS[0],
  ]);
});

/** What each function of `notify` needs, and sends. */
const CHANGES = [
  ['tools', 'toolsChanged', TOOLS],
  ['prompts', 'promptsChanged', LISTS[0]],
  ['resources', 'resourcesChanged', LISTS[1]],
  ['resources', 'resourceUpdated', UPDATED],
] as const;
const FEATURES = ['tools', 'prompts', 'resources'] as const;
/** Each set of features. */
const OFFERED = Array.from({ length: 2 ** FEATURES.length }, (_, bits) =>
  FEATURES.filter((__, bit) => (bits >> bit) % 2 === 1),
);

describe.each([CORE, EXT] as const)('to a client of %s', (version) => {
  it.each(OFFERED)('a change of %j is sent, and others name what to add', async (...offered) => {
    const has = Object.fromEntries(offered.map((feature) => [feature, options[feature]]));
    const { server, request, open, notifications, capabilities } = await wireOf(version, has);
    if (version === EXT) {
      const lists = {
        toolsListChanged: true,
        promptsListChanged: true,
        resourcesListChanged: true,
      };
      open('subscriptions/listen', { notifications: { ...lists, resourceSubscriptions: ['x:r'] } });
    } else if (offered.includes('resources')) await request('resources/subscribe', { uri: 'x:r' });
    await settled();
    notifications.length = 0;
    for (const [feature, name, method] of CHANGES) {
      if (offered.includes(feature)) {
        server.notify[name]('x:r');
        await settled();
        expect(notifications.splice(0)).toMatchObject([{ method }]);
        expect(capabilities[feature]).toMatchObject({ listChanged: true });
      } else {
        expect(() => server.notify[name]('x:r')).toThrow(
          new RegExp(`^The server does not declare changes of ${feature}: .*${feature}: \\[define`),
        );
      }
    }
  });
});

it('a change of what only a guest has is sent', async () => {
  const guest = (): McpServer => {
    const mcp = new McpServer({ name: 'guest', version: '1.0.0' });
    mcp.registerTool('t', {}, () => ({ content: [] }));
    return mcp;
  };
  const { server, notifications } = await wireOf(CORE, { guest });
  await settled();
  notifications.length = 0;
  server.notify.toolsChanged();
  await settled();
  expect(notifications).toEqual([{ method: TOOLS, params: {} }]);
});

it('a change that a revision forbids is reported, and the next one is sent', async () => {
  const { server, session, errors, notifications } = await wireOf(CORE, options);
  session?.resources.add(7 as never);
  session?.resources.add('x:r');
  server.notify.resourceUpdated(7 as never);
  server.notify.resourceUpdated('x:r');
  await settled();
  expect(notifications).toEqual([{ method: UPDATED, params: { uri: 'x:r' } }]);
  expect(errors.map(({ message }) => message)).toEqual([
    expect.stringContaining('notifications/resources/updated'),
  ]);
});

describe('an outbox', () => {
  it('sends nothing after it was closed', async () => {
    const sent: JsonObject[] = [];
    const outbox = new Outbox(
      ({ params }) => {
        sent.push(params);
        outbox.close();
        return Promise.resolve();
      },
      () => undefined,
    );
    for (const key of ['a', 'b']) outbox.put(key, () => ({ method: key, params: { key } }));
    await settled();
    expect(sent).toEqual([]);
    outbox.start();
    await settled();
    outbox.put('c', () => ({ method: 'c', params: {} }));
    await settled();
    expect(sent).toEqual([{ key: 'a' }]);
  });
});
