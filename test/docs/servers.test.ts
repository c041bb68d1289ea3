import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import {
  Client,
  type ClientCapabilities,
  type FetchLike,
  StreamableHTTPClientTransport,
} from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { Client as ClientV1 } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport as HttpV1 } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { describe, expect, it, onTestFinished } from 'vitest';
import * as z from 'zod';

import { createTaskClient } from '../../runtime/client/index.js';
import { META_KEYS } from '../../runtime/protocol.js';
import { serveHttp, type TaskServer } from '../../runtime/server/index.js';
import { deferred } from '../../runtime/tasks/index.js';
import { authorization, tokenOf } from '../server/tokens.js';
import { root, type Snippet, snippetsIn } from './snippets.js';

/** The examples of docs/servers.md, with clients of the official SDK. */

const PAGE = snippetsIn('docs/servers.md').filter(({ language }) => language === 'ts');
const INFO = { name: 'app', version: '1.0.0' };
const HEADERS = {
  requestInit: { headers: { authorization: `Bearer ${tokenOf('ann')}`, host: 'localhost' } },
};

/** The name that an example has in its first line. */
const nameOf = ({ text }: Snippet): string | undefined => /^\/\/ ([\w.-]+\.ts)\n/.exec(text)?.[1];

interface Examples {
  readonly shop: { readonly createShop: () => Promise<TaskServer> };
  readonly ship: {
    readonly add: (server: TaskServer, id: string, item: string) => void;
    readonly ship: (server: TaskServer, id: string) => void;
  };
  readonly web: {
    readonly webServer: (server: TaskServer) => (request: Request) => Promise<Response>;
  };
}

/** A folder of this repository, which the test removes. */
function newFolder(): string {
  mkdirSync(`${root}.cache`, { recursive: true });
  const folder = mkdtempSync(`${root}.cache/docs-`);
  onTestFinished(() => rmSync(folder, { recursive: true }));
  return folder;
}

/** The modules of the page, which import each other, with data of their own. */
async function examples(): Promise<Examples> {
  const folder = newFolder();
  for (const each of PAGE) {
    const name = nameOf(each);
    if (name !== undefined) writeFileSync(join(folder, name), each.text);
  }
  const load = (name: string): Promise<unknown> =>
    import(/* @vite-ignore */ join(folder, `${name}.ts`));
  const [shop, ship, web] = await Promise.all(['shop', 'ship', 'web'].map(load));
  return { shop, ship, web } as Examples;
}

interface Shop extends Examples {
  readonly server: TaskServer;
  readonly url: URL;
}

async function openShop(): Promise<Shop> {
  const modules = await examples();
  const server = await modules.shop.createShop();
  const http = await serveHttp(server, { auth: authorization });
  onTestFinished(async () => {
    await http.close();
    await server.close(0);
  });
  return { ...modules, server, url: new URL(http.url) };
}

const MODES = ['legacy', 'auto'] as const;
type Mode = (typeof MODES)[number];

/** What a client answers to the questions of the examples. */
const CAPABILITIES: ClientCapabilities = {
  elicitation: { form: {}, url: {} },
  sampling: {},
  roots: {},
};
const ROOTS = [{ uri: 'file:///home/ann', name: 'home' }];

interface Connected {
  readonly client: Client;
  /** What the user was asked. */
  readonly asked: unknown[];
}

async function connect(url: URL, mode: Mode, fetch?: FetchLike): Promise<Connected> {
  const client = new Client(INFO, {
    capabilities: CAPABILITIES,
    versionNegotiation: { mode },
  });
  const asked: unknown[] = [];
  client.setRequestHandler('elicitation/create', ({ params }) => {
    asked.push(params);
    if (params.mode === 'url') return { action: 'accept' as const };
    return { action: 'accept' as const, content: { reason: 'It leaks', id: '1002' } };
  });
  client.setRequestHandler('sampling/createMessage', () => ({
    role: 'assistant' as const,
    model: 'test',
    content: { type: 'text' as const, text: 'Bonjour' },
  }));
  client.setRequestHandler('roots/list', () => ({ roots: ROOTS }));
  await client.connect(
    new StreamableHTTPClientTransport(url, { ...HEADERS, ...(fetch && { fetch }) }),
  );
  onTestFinished(() => client.close());
  return { client, asked };
}

const text = (value: string) => [{ type: 'text', text: value }];

describe.each(MODES)('docs/servers.md, with a client of mode %s', (mode) => {
  it('lists and reads resources', async () => {
    const { url } = await openShop();
    const { client } = await connect(url, mode);
    const { resources } = await client.listResources();
    expect(resources.map(({ uri }) => uri)).toEqual([
      'shop://orders',
      'shop://orders/1001',
      'shop://orders/1002',
    ]);
    const { resourceTemplates } = await client.listResourceTemplates();
    expect(resourceTemplates).toMatchObject([{ uriTemplate: 'shop://orders/{id}' }]);
    const all = await client.readResource({ uri: 'shop://orders' });
    expect(all.contents).toEqual([
      { uri: 'shop://orders', mimeType: 'application/json', text: '["1001","1002"]' },
    ]);
    const one = await client.readResource({ uri: 'shop://orders/1002' });
    expect(one.contents).toMatchObject([{ text: '{"item":"Kettle","status":"sent"}' }]);
    // This client turns -32002 into -32602.
    const unknown = client.readResource({ uri: 'shop://orders/7' });
    await expect(unknown).rejects.toMatchObject({ code: -32602 });
  });

  it('tells clients of changes', async () => {
    const { url, server, ship } = await openShop();
    const { client } = await connect(url, mode);
    const updated = deferred<unknown>();
    const listed = deferred<void>();
    client.setNotificationHandler('notifications/resources/updated', ({ params }) =>
      updated.resolve(params.uri),
    );
    client.setNotificationHandler('notifications/resources/list_changed', () => listed.resolve());
    const uri = 'shop://orders/1001';
    if (mode === 'legacy') await client.subscribeResource({ uri });
    else await client.listen({ resourcesListChanged: true, resourceSubscriptions: [uri] });
    ship.ship(server, '1001');
    expect(await updated.promise).toBe(uri);
    ship.add(server, '1003', 'Pan');
    await listed.promise;
    const { resources } = await client.listResources();
    expect(resources).toHaveLength(4);
    const { contents } = await client.readResource({ uri });
    expect(contents).toMatchObject([{ text: '{"item":"Teapot","status":"sent"}' }]);
  });

  it('offers prompts and completes their arguments', async () => {
    const { url } = await openShop();
    const { client } = await connect(url, mode);
    const { prompts } = await client.listPrompts();
    expect(prompts).toMatchObject([
      {
        name: 'order-message',
        arguments: [
          { name: 'status', description: 'Where the order is', required: true },
          { name: 'id', description: 'The number of the order', required: true },
        ],
      },
      { name: 'any-order' },
    ]);
    const params = { name: 'order-message', arguments: { id: '1002', status: 'sent' } };
    const { messages } = await client.getPrompt(params);
    const [content] = text('Tell the customer that order 1002 is sent.');
    expect(messages).toEqual([{ role: 'user', content }]);
    const wrong = { ...params, arguments: { id: '1002', status: 'lost' } };
    await expect(client.getPrompt(wrong)).rejects.toMatchObject({
      code: -32602,
      message: expect.stringContaining('/status') as string,
    });
    const ref = { type: 'ref/prompt' as const, name: 'order-message' };
    const complete = async (name: string, value: string, args?: Record<string, string>) => {
      const context = args && { context: { arguments: args } };
      const { completion } = await client.complete({ ref, argument: { name, value }, ...context });
      return completion.values;
    };
    expect(await complete('status', 'p')).toEqual(['packed']);
    expect(await complete('id', '1')).toEqual(['1001', '1002']);
    expect(await complete('id', '1', { status: 'sent' })).toEqual(['1002']);
  });

  it('asks the client for a form, a visit, a reply and folders', async () => {
    const { url } = await openShop();
    const { client, asked } = await connect(url, mode);
    const call = async (name: string, args: Record<string, string> = {}) =>
      (await client.callTool({ name, arguments: args })).content;
    expect(await call('refund', { id: '1001' })).toEqual(text('Order 1001 is refunded: It leaks'));
    expect(await call('pay', { id: '1001' })).toEqual(text('Order 1001 is paid.'));
    expect(asked).toMatchObject([
      { message: 'Why do you refund order 1001?' },
      { mode: 'url', url: 'https://shop.example/pay/1001' },
    ]);
    expect(await call('translate', { text: 'Hello' })).toEqual(text('Bonjour'));
    expect(await call('folders')).toEqual(text(JSON.stringify(ROOTS)));
  });

  it('asks the client while it makes a prompt', async () => {
    const { url } = await openShop();
    const { client, asked } = await connect(url, mode);
    const { messages } = await client.getPrompt({ name: 'any-order' });
    expect(asked).toMatchObject([{ message: 'Which order?' }]);
    expect(messages).toMatchObject([{ content: { text: 'Tell the story of order 1002.' } }]);
  });

  it('refuses a question that the client does not declare, and names it', async () => {
    const { url } = await openShop();
    const client = new Client(INFO, { versionNegotiation: { mode } });
    await client.connect(new StreamableHTTPClientTransport(url, HEADERS));
    onTestFinished(() => client.close());
    await expect(client.callTool({ name: 'folders', arguments: {} })).rejects.toMatchObject({
      code: -32021,
      message: expect.stringContaining('roots') as string,
    });
  });

  it('reports progress and logs', async () => {
    const { url } = await openShop();
    const { client } = await connect(url, mode);
    const logged: unknown[] = [];
    const progressed: unknown[] = [];
    client.setNotificationHandler('notifications/message', ({ params }) => {
      logged.push(params);
    });
    client.setNotificationHandler('notifications/progress', ({ params }) => {
      progressed.push(params.message);
    });
    const params = { name: 'take-stock', arguments: {} };
    const level = { _meta: { [META_KEYS.logLevel]: 'info' } };
    const onprogress = (): void => undefined;
    const { structuredContent } = await client.callTool(
      { ...params, ...(mode === 'auto' && level) },
      { onprogress },
    );
    expect(structuredContent).toEqual({ orders: 2 });
    expect(progressed).toEqual(['Teapot', 'Kettle']);
    expect(logged).toMatchObject([
      { level: 'info', logger: 'stock', data: { counted: 1, item: 'Teapot' } },
      { level: 'info', logger: 'stock', data: { counted: 2, item: 'Kettle' } },
    ]);
    logged.length = 0;
    if (mode === 'legacy') await client.setLoggingLevel('error');
    await client.callTool(params);
    expect(logged).toEqual([]);
  });

  it('runs a tool as a task', async () => {
    const { url } = await openShop();
    const states: string[] = [];
    const tasks = createTaskClient({
      ...INFO,
      revisions: [mode === 'legacy' ? '2025-11-25' : '2026-07-28'],
    });
    await tasks.connect(new StreamableHTTPClientTransport(url, HEADERS));
    onTestFinished(() => tasks.close());
    const { structuredContent } = await tasks.call(
      'take-stock',
      {},
      { onStatus: ({ status }) => states.push(status) },
    );
    expect(structuredContent).toEqual({ orders: 2 });
    expect(states.at(-1)).toBe('completed');
  });

  it('serves web-standard requests without a port', async () => {
    const { shop, web } = await examples();
    const server = await shop.createShop();
    onTestFinished(() => server.close(0));
    const answer = web.webServer(server);
    const { client } = await connect(new URL('http://localhost/mcp'), mode, (url, init) =>
      answer(new Request(url, init)),
    );
    const { contents } = await client.readResource({ uri: 'shop://orders/1002' });
    expect(contents).toMatchObject([{ text: '{"item":"Kettle","status":"sent"}' }]);
  });

  it('serves its first example over stdio', async () => {
    const file = join(newFolder(), 'reports.ts');
    writeFileSync(file, PAGE[0]?.text ?? '');
    const client = new Client(INFO, {
      capabilities: { elicitation: {} },
      versionNegotiation: { mode },
    });
    client.setRequestHandler('elicitation/create', () => ({
      action: 'accept' as const,
      content: { appendix: true },
    }));
    const args = ['--import', 'tsx', file];
    await client.connect(
      new StdioClientTransport({ command: process.execPath, args, cwd: root, stderr: 'inherit' }),
    );
    onTestFinished(() => client.close());
    const called = { name: 'report', arguments: { topic: 'tea' } };
    if (mode === 'legacy') {
      expect((await client.callTool(called)).structuredContent).toEqual({ pages: 3 });
    } else {
      // A plain call that asks has to start again, and this tool is not retryable: it needs a task.
      await expect(client.callTool(called)).rejects.toMatchObject({ code: -32021 });
    }
  });
});

describe('docs/servers.md, with a client of version 1 of the SDK', () => {
  it('lists, reads, gets, asks and calls', async () => {
    const { url } = await openShop();
    const client = new ClientV1(INFO, { capabilities: { roots: {} } });
    const { ListRootsRequestSchema } = await import('@modelcontextprotocol/sdk/types.js');
    client.setRequestHandler(ListRootsRequestSchema, () => ({ roots: ROOTS }));
    await client.connect(new HttpV1(url, HEADERS));
    onTestFinished(() => client.close());
    expect((await client.listResources()).resources).toHaveLength(3);
    const { contents } = await client.readResource({ uri: 'shop://orders/1002' });
    expect(contents).toMatchObject([{ text: '{"item":"Kettle","status":"sent"}' }]);
    const unknown = client.readResource({ uri: 'shop://orders/7' });
    await expect(unknown).rejects.toMatchObject({ code: -32002 });
    const args = { id: '1001', status: 'packed' };
    const { messages } = await client.getPrompt({ name: 'order-message', arguments: args });
    expect(messages).toMatchObject([{ role: 'user' }]);
    const { content } = await client.callTool({ name: 'folders', arguments: {} });
    expect(z.array(z.unknown()).parse(content)).toEqual(text(JSON.stringify(ROOTS)));
  });
});
