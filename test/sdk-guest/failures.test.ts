import { McpServer } from '@modelcontextprotocol/server';
import { describe, expect, it, onTestFinished } from 'vitest';
import * as z from 'zod';

import { inviteGuest } from '../../runtime/server/sdk-guest/guest.js';
import {
  createTaskServer,
  definePrompt,
  defineResource,
  defineResourceTemplate,
  defineTool,
} from '../../runtime/server/index.js';
import type { Guest, SdkServer } from '../../runtime/server/guest.js';
import { CORE, EXT, settled, wireOf } from '../server/features/wire.js';
import { INFO, libraryV1, libraryV2 } from './servers.js';

const own = defineTool({
  name: 'own',
  description: 'Ours.',
  input: z.object({}),
  run: () => 'own',
});
const call = (name: string, args: object = {}) =>
  ['tools/call', { name, arguments: args }] as const;
const UNSENT = { code: -32603 };

function serverWith(guest: () => SdkServer | Promise<SdkServer>, tools = [own]) {
  return createTaskServer({ name: 'host', version: '1', tools, guest });
}

/** A guest that is as it should be when it is asked what it has, and different afterwards. */
function later(then: () => SdkServer | Promise<SdkServer>): () => SdkServer | Promise<SdkServer> {
  let made = 0;
  return () => ((made += 1) === 1 ? libraryV2().server : then());
}

describe('createTaskServer', () => {
  it.each([
    [
      {
        tools: [
          defineTool({ name: 'find', description: 'Ours.', input: z.object({}), run: () => '' }),
        ],
      },
      'tool "find"',
    ],
    [{ prompts: [definePrompt({ name: 'greet', get: () => 'Hi' })] }, 'prompt "greet"'],
    [
      { resources: [defineResource({ uri: 'library://rules', name: 'r', read: () => undefined })] },
      'resource "library://rules"',
    ],
    [
      {
        resources: [
          defineResourceTemplate({
            uriTemplate: 'library://{what}',
            name: 'r',
            read: () => undefined,
          }),
        ],
      },
      'resource "library://rules"',
    ],
    [
      {
        resources: [
          defineResourceTemplate({
            uriTemplate: 'library://books/{id}',
            name: 'r',
            read: () => undefined,
          }),
        ],
      },
      'library://books/',
    ],
  ])('refuses what the server and its guest both have: %#', async (ours, named) => {
    const server = createTaskServer({
      name: 'host',
      version: '1',
      tools: [],
      ...ours,
      guest: () => libraryV1().server,
    });
    await expect(server).rejects.toThrow(TypeError);
    await expect(server).rejects.toThrow(named);
  });

  it.each([
    [
      'throws',
      () => {
        throw new Error('no books');
      },
    ],
    ['rejects', () => Promise.reject(new Error('no books'))],
    [
      'does not connect',
      () => ({
        connect: () => Promise.reject(new Error('no books')),
        close: () => Promise.resolve(),
      }),
    ],
  ])('rejects for a guest that %s', async (_, guest) => {
    await expect(serverWith(guest)).rejects.toThrow('no books');
  });

  it('rejects for a guest that answers nothing', async () => {
    const hanging = { connect: () => Promise.resolve(), close: () => Promise.resolve() };
    const invited = inviteGuest({
      make: () => hanging,
      owns: NOTHING,
      serverInfo: { name: 'host', version: '1' },
      onError: () => undefined,
      patience: 20,
    });
    await expect(invited).rejects.toThrow('The handshake of the guest took longer than 20 ms');
  });

  it('rejects for a guest whose list has no end', async () => {
    const endless = () => {
      const mcp = new McpServer(INFO, { capabilities: { tools: {} } });
      mcp.server.setRequestHandler('tools/list', () => ({ tools: [], nextCursor: 'more' }));
      return mcp;
    };
    await expect(serverWith(endless)).rejects.toThrow('more than 100 pages');
  });
});

const NOTHING = {
  tool: () => false,
  prompt: () => false,
  resource: () => false,
  template: () => false,
};

/** A guest whose lists and handshakes may take little time. */
function impatient(make: () => SdkServer | Promise<SdkServer>, errors: unknown[]): Promise<Guest> {
  return inviteGuest({
    make,
    owns: { ...NOTHING, tool: (name) => name === 'own' },
    serverInfo: { name: 'host', version: '1' },
    onError: (error) => errors.push(error),
    patience: 50,
  });
}

describe.each([CORE, EXT] as const)('in %s, the server goes on when its guest', (version) => {
  it('cannot be made', async () => {
    const { request, errors } = await wireOf(version, {
      tools: [own],
      guest: later(() => Promise.reject(new Error('no books'))),
    });
    await expect(request(...call('find', { title: 'Emma' }))).rejects.toMatchObject({
      ...UNSENT,
      message: 'The guest server is not available',
    });
    expect(await request(...call('own'))).toMatchObject({ content: [{ text: 'own' }] });
    expect((await request('tools/list'))['tools']).toMatchObject([{ name: 'own' }]);
    expect(errors[0]).toMatchObject({ cause: { message: 'no books' } });
  });

  it('is the same server each time', async () => {
    const { server } = libraryV2();
    const { request, errors } = await wireOf(version, {
      tools: [own],
      guest: later(() => server),
    });
    const calls = () =>
      Promise.allSettled([0, 1].map(() => request(...call('wait', { name: 'a' }))));
    const pending = calls();
    await settled();
    if (version === EXT) {
      expect(String((errors[0] as Error).cause)).toContain('make one in each call');
    }
    expect(await request(...call('own'))).toMatchObject({ content: [{ text: 'own' }] });
    void pending;
  });

  it('closes its connection in a call', async () => {
    const guest = (): SdkServer => {
      const mcp = new McpServer(INFO);
      mcp.registerTool('leave', {}, async () => {
        await mcp.close();
        return { content: [] };
      });
      return mcp;
    };
    const { request } = await wireOf(version, { tools: [own], guest });
    await expect(request(...call('leave'))).rejects.toMatchObject({
      ...UNSENT,
      message: 'The guest server has closed its connection',
    });
    expect(await request(...call('own'))).toMatchObject({ content: [{ text: 'own' }] });
    expect((await request('tools/list'))['tools']).toMatchObject([
      { name: 'own' },
      ...(version === EXT ? [{ name: 'leave' }] : []),
    ]);
  });

  it('answers what is not valid, or not JSON', async () => {
    const guest = (): SdkServer => {
      const mcp = new McpServer(INFO, { capabilities: { tools: {}, resources: {} } });
      mcp.server.setRequestHandler('tools/list', () => ({ tools: [] }));
      mcp.server.setRequestHandler('resources/list', () => ({ resources: [] }));
      mcp.server.setRequestHandler('resources/templates/list', () => ({ resourceTemplates: [] }));
      mcp.server.setRequestHandler('resources/read', () => ({ contents: [{ uri: 7 }] }) as never);
      mcp.server.setRequestHandler('tools/call', () => ({
        content: [],
        structuredContent: { big: 1n },
      }));
      return mcp;
    };
    const { request } = await wireOf(version, { tools: [own], guest });
    await expect(request(...call('big'))).rejects.toMatchObject(UNSENT);
    await expect(request('resources/read', { uri: 'x:y' })).rejects.toMatchObject(UNSENT);
    expect(await request(...call('own'))).toMatchObject({ content: [{ text: 'own' }] });
  });

  it('floods its client', async () => {
    const guest = (): SdkServer => {
      const mcp = new McpServer(INFO, { capabilities: { logging: {} } });
      mcp.registerTool('flood', {}, async ({ mcpReq }) => {
        for (let each = 0; !mcpReq.signal.aborted; each += 1) {
          const params = { progressToken: mcpReq._meta?.progressToken ?? 0, progress: each };
          await mcpReq.notify({ method: 'notifications/progress', params });
        }
        return { content: [] };
      });
      return mcp;
    };
    const { open, request, session, notifications } = await wireOf(version, {
      tools: [own],
      guest,
    });
    const meta = { progressToken: 'p' };
    const flood = open('tools/call', { name: 'flood', arguments: {}, _meta: meta });
    flood.result.catch(() => undefined);
    await settled();
    expect(notifications.length).toBeGreaterThan(0);
    expect(await request(...call('own'))).toMatchObject({ content: [{ text: 'own' }] });
    // A client that does not read holds the guest up.
    flood.line.hold();
    let before = -1;
    while (flood.line.sent.length !== before) {
      before = flood.line.sent.length;
      for (let turn = 0; turn < 5; turn += 1) await settled();
    }
    expect(before).toBeLessThan(5_000);
    flood.line.gone.abort(new Error('gone'));
    session?.peer.close();
  });
});

it('answers with its own list when the guest sends none in time', async () => {
  const errors: unknown[] = [];
  let made = 0;
  const guest = await impatient(() => {
    made += 1;
    if (made === 1) return libraryV2().server;
    const mcp = new McpServer(INFO, { capabilities: { tools: {} } });
    mcp.server.setRequestHandler('tools/list', () => new Promise<never>(() => undefined));
    return mcp;
  }, errors);
  const server = await createTaskServer({ name: 'host', version: '1', tools: [own] });
  onTestFinished(() => server.close(0));
  const serve = server.serve.bind(server);
  const served = {
    server: {
      ...server,
      serve: (terms: Parameters<typeof serve>[0]) => serve({ ...terms, guest }),
    },
    errors: [],
  };
  const { request } = await wireOf(CORE, {}, { served });
  expect((await request('tools/list'))['tools']).toMatchObject([{ name: 'own' }]);
});
