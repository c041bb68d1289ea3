import { describe, expect, it } from 'vitest';

import { CORE, EXT, serverOf, settled, wireOf } from '../server/features/wire.js';
import { LIBRARIES, type Library } from './servers.js';

describe.each(LIBRARIES)('what changes in a guest of %s', (_, make) => {
  function keeping() {
    const made: Library[] = [];
    const guest = () => {
      const library = make();
      made.push(library);
      return library.server;
    };
    return { made, guest };
  }

  it('reaches its session, and no other', async () => {
    const { made, guest } = keeping();
    const served = await serverOf({ guest });
    const one = await wireOf(CORE, {}, { served });
    const other = await wireOf(CORE, {}, { served });
    await settled();
    const [, first, second] = made;
    await one.request('resources/subscribe', { uri: 'library://rules' });
    expect([...(first?.subscribed ?? [])]).toEqual(['library://rules']);
    expect(second?.subscribed.size).toBe(0);
    first?.updated('library://rules');
    first?.addTool('later');
    await settled();
    expect(one.notifications.map(({ method }) => method).sort()).toEqual([
      'notifications/resources/updated',
      'notifications/tools/list_changed',
    ]);
    expect(other.notifications).toEqual([]);
    await one.request('resources/unsubscribe', { uri: 'library://rules' });
    expect(first?.subscribed.size).toBe(0);
  });

  it('reaches subscriptions/listen', async () => {
    const { made, guest } = keeping();
    const { open, notifications, close } = await wireOf(EXT, { guest });
    const wanted = { toolsListChanged: true, resourceSubscriptions: ['library://rules'] };
    const { result } = open('subscriptions/listen', { notifications: wanted });
    await settled();
    const library = made.at(-1);
    expect([...(library?.subscribed ?? [])]).toEqual(['library://rules']);
    library?.updated('library://rules');
    library?.updated('library://books/1');
    library?.addTool('later');
    await settled();
    const meta = {
      _meta: { 'io.modelcontextprotocol/subscriptionId': expect.anything() as unknown },
    };
    expect(notifications).toEqual([
      {
        method: 'notifications/subscriptions/acknowledged',
        params: { notifications: wanted, ...meta },
      },
      {
        method: 'notifications/resources/updated',
        params: { uri: 'library://rules', ...meta },
      },
      { method: 'notifications/tools/list_changed', params: meta },
    ]);
    close();
    await expect(result).rejects.toThrow('The server ended the subscription');
  });

  it('sends log messages of the level that a request names, and none without', async () => {
    const { request, notifications } = await wireOf(EXT, { guest: () => make().server });
    const call = { name: 'chat', arguments: { lines: 2 } };
    await request('tools/call', call);
    expect(notifications).toEqual([]);
    for (const [level, count] of [
      ['error', 0],
      ['info', 2],
    ] as const) {
      const _meta = { 'io.modelcontextprotocol/logLevel': level };
      await request('tools/call', { ...call, _meta });
      expect(notifications).toHaveLength(count);
    }
  });

  it('sends a session the log messages of its level', async () => {
    const { request, notifications } = await wireOf(CORE, { guest: () => make().server });
    const call = { name: 'chat', arguments: { lines: 2 } };
    await request('tools/call', call);
    expect(notifications).toHaveLength(2);
    await request('logging/setLevel', { level: 'error' });
    await request('tools/call', call);
    expect(notifications).toHaveLength(2);
  });
});
