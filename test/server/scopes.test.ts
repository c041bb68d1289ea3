import { describe, expect, it } from 'vitest';
import * as z from 'zod';

import {
  createHttpHandler,
  createTaskServer,
  definePrompt,
  defineResource,
  defineResourceTemplate,
  defineTool,
  type TaskServerOptions,
} from '../../runtime/server/index.js';
import { ownedBy } from '../../runtime/server/guest.js';
import { scopesOf } from '../../runtime/server/scopes.js';
import { authorization, legacy, modern, modernResponse, rig, tokenOf } from './support.js';

const SCOPED: Pick<TaskServerOptions, 'tools' | 'resources' | 'prompts'> = {
  tools: [
    defineTool({
      name: 'look',
      description: 'Looks.',
      input: z.object({}),
      run: () => 'seen',
    }),
    defineTool({
      name: 'erase',
      description: 'Erases.',
      input: z.object({}),
      scopes: ['files:write', 'admin'],
      taskSupport: 'optional',
      run: () => 'erased',
    }),
  ],
  resources: [
    defineResource({ uri: 'shop://open', name: 'open', read: () => ({ text: 'open' }) }),
    defineResource({
      uri: 'shop://books',
      name: 'books',
      scopes: ['books'],
      read: () => ({ text: 'books' }),
    }),
    defineResourceTemplate({
      uriTemplate: 'shop://orders/{id}',
      name: 'orders',
      scopes: ['orders'],
      complete: { id: () => ['1'] },
      read: () => ({ text: 'order' }),
    }),
  ],
  prompts: [
    definePrompt({
      name: 'plan',
      args: z.object({ of: z.string() }),
      scopes: ['plans'],
      complete: { of: () => ['week'] },
      get: () => 'plan',
    }),
  ],
};

/** Requests that need scopes: method, params, and the scopes. */
const NEEDS: readonly (readonly [string, Record<string, unknown>, string])[] = [
  ['tools/call', { name: 'erase', arguments: {} }, 'files:write admin'],
  ['resources/read', { uri: 'shop://books' }, 'books'],
  ['resources/read', { uri: 'shop://orders/7' }, 'orders'],
  ['prompts/get', { name: 'plan', arguments: { of: 'week' } }, 'plans'],
  [
    'completion/complete',
    { ref: { type: 'ref/prompt', name: 'plan' }, argument: { name: 'of', value: '' } },
    'plans',
  ],
  [
    'completion/complete',
    {
      ref: { type: 'ref/resource', uri: 'shop://orders/{id}' },
      argument: { name: 'id', value: '' },
    },
    'orders',
  ],
];

const everything = tokenOf('ann', 'app', 'mcp files:write admin books orders plans');
const challenge = (scopes: string): string =>
  'Bearer error="insufficient_scope", error_description="The token lacks scopes that this request needs", ' +
  `scope="mcp ${scopes}", resource_metadata="http://localhost/.well-known/oauth-protected-resource/mcp"`;

describe('scopes', () => {
  it.each(NEEDS)(
    'of %s %o are demanded, and enough, in both dialects',
    async (method, params, scopes) => {
      const { http } = await rig(SCOPED);
      const refused = await modernResponse({ http }, method, params);
      expect(refused.status).toBe(403);
      expect(refused.headers.get('www-authenticate')).toBe(challenge(scopes));
      expect(await refused.json()).toMatchObject({
        id: expect.any(Number) as number,
        error: { code: -32000, message: `The caller lacks scopes: ${scopes}` },
      });
      const ok = await modern({ http }, method, params, { token: everything });
      expect(ok).toMatchObject({ status: 200, result: {} });

      const session = await legacy({ http });
      expect((await session.request(method, params)).status).toBe(403);
      const granted = await legacy({ http }, { token: everything });
      expect(await granted.request(method, params)).toMatchObject({ status: 200, result: {} });
    },
  );

  it('are demanded of those who listen to a resource, in a call as a task, and in a batch', async () => {
    const { http } = await rig(SCOPED);
    const notifications = { resourceSubscriptions: ['shop://open', 'shop://orders/7'] };
    const listening = await modernResponse({ http }, 'subscriptions/listen', { notifications });
    expect(listening.headers.get('www-authenticate')).toBe(challenge('orders'));
    const session = await legacy({ http });
    expect((await session.request('resources/subscribe', { uri: 'shop://books' })).status).toBe(
      403,
    );
    const task = { name: 'erase', arguments: {}, task: {} };
    expect((await session.request('tools/call', task)).status).toBe(403);

    const old = await legacy({ http }, { revision: '2025-03-26' });
    const call = (id: number, name: string) => ({
      ...{ jsonrpc: '2.0', id, method: 'tools/call', params: { name, arguments: {} } },
    });
    const batch = await http.fetch(
      new Request('http://localhost/mcp', {
        method: 'POST',
        headers: {
          host: 'localhost',
          'content-type': 'application/json',
          accept: 'application/json, text/event-stream',
          authorization: `Bearer ${tokenOf('ann')}`,
          'mcp-session-id': old.sessionId,
        },
        body: JSON.stringify([call(1, 'look'), call(2, 'erase')]),
      }),
    );
    expect(batch.status).toBe(403);
  });

  it('are not looked up for more resources than one may listen to', async () => {
    const { http } = await rig(SCOPED);
    const uris = Array.from({ length: 1_001 }, (_, index) => `shop://orders/${index}`);
    const notifications = { resourceSubscriptions: uris };
    const refused = await modernResponse({ http }, 'subscriptions/listen', { notifications });
    expect(await refused.json()).toMatchObject({ error: { code: -32602 } });
  });

  it('are found without a look at every resource', () => {
    let looks = 0;
    const resources = Array.from({ length: 1_000 }, (_, index) => {
      const resource = defineResource({
        uri: `shop://books/${index}`,
        name: `book-${index}`,
        scopes: [`book-${index}`],
        read: () => ({ text: '' }),
      });
      return new Proxy(resource, {
        get(target, name) {
          looks += 1;
          return Reflect.get(target, name) as unknown;
        },
      });
    });
    const offered = { tools: new Map(), resources, prompts: [] };
    const needed = scopesOf(offered);
    const owned = ownedBy(offered);
    looks = 0;
    const params = { uri: 'shop://books/999' };
    expect(needed?.({ method: 'resources/read', params })).toEqual(['book-999']);
    expect(owned.resource('shop://books/999')).toBe(true);
    expect(looks).toBeLessThan(10);
  });

  it('that a caller has in part are named with all others, and what needs none is open', async () => {
    const { http } = await rig(SCOPED);
    const token = tokenOf('ann', 'app', 'mcp admin');
    const refused = await modernResponse({ http }, 'tools/call', { name: 'erase' }, { token });
    expect(refused.headers.get('www-authenticate')).toBe(challenge('files:write admin'));
    expect(await refused.json()).toMatchObject({
      error: { message: 'The caller lacks scopes: files:write' },
    });
    expect(await modern({ http }, 'tools/call', { name: 'look' })).toMatchObject({ status: 200 });
    expect(await modern({ http }, 'tools/list')).toMatchObject({ status: 200 });
    expect(await modern({ http }, 'tools/call', { name: 'toString' })).toMatchObject({
      error: { code: -32602 },
    });
  });

  it('are refusals that are audited', async () => {
    const events: unknown[] = [];
    const { http } = await rig({ ...SCOPED, audit: (event) => events.push(event) });
    await modern({ http }, 'tools/call', { name: 'erase' });
    expect(events).toContainEqual(
      expect.objectContaining({ type: 'refused', reason: 'http_403', method: 'POST /mcp' }),
    );
  });

  it('of callers whom other code has identified count as well', async () => {
    const identify = (request: Request) => ({
      issuer: 'https://issuer.example',
      subject: 'ann',
      client: 'app',
      scopes: (request.headers.get('x-scopes') ?? '').split(' '),
    });
    const { http } = await rig(SCOPED, { identify });
    const call = (scopes: string): Promise<Response> =>
      modernResponse(
        { http },
        'tools/call',
        { name: 'erase' },
        { headers: { 'x-scopes': scopes } },
      );
    const refused = await call('admin');
    expect(refused.status).toBe(403);
    expect(refused.headers.get('www-authenticate')).toContain('scope="files:write admin"');
    expect((await call('admin files:write')).status).toBe(200);
  });

  it('cannot be demanded where nothing identifies callers', async () => {
    const server = await createTaskServer({ name: 'test', version: '1', ...SCOPED });
    expect(() => createHttpHandler(server, { allowUnidentified: true })).toThrow(
      /"erase", "plan", "books" need scopes, but `allowUnidentified` identifies no caller/,
    );
    expect(() => createHttpHandler(server, { auth: authorization })).not.toThrow();
    await server.close(0);
  });

  it('are words of OAuth', () => {
    const define = (scopes: string[]) => () =>
      defineTool({ name: 'x', description: '', input: z.object({}), scopes, run: () => '' });
    expect(define(['a:b/c'])).not.toThrow();
    for (const wrong of ['', 'a b', 'a"b', 'ä', 'a\\b']) {
      expect(define([wrong]), wrong).toThrow(/Tool "x": `scopes` must be a list of scopes/);
    }
  });
});
