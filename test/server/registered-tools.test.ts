import { type Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import type { McpServer } from '@modelcontextprotocol/server';
import { InMemoryTransport } from '@modelcontextprotocol/server';
import { describe, expect, it, onTestFinished } from 'vitest';
import * as z from 'zod';

import {
  createTaskServer,
  serveHttp,
  serveStdio,
  type TaskServerOptions,
} from '../../runtime/server/index.js';
import { at } from '../../runtime/wire/json.js';
import { clientV2, type Mode } from './clients.js';
import { legacy, modern, modernResponse, rig, rigAlone } from './support.js';
import { testTools } from './tools.js';

/** What an existing server registers with the SDK. */
function setup(mcp: McpServer): void {
  mcp.registerTool(
    'greet',
    {
      title: 'Greet',
      description: 'Greets a person.',
      inputSchema: z.object({ name: z.string() }),
      outputSchema: z.object({ greeting: z.string() }),
    },
    ({ name }) => ({
      content: [{ type: 'text', text: `Hello, ${name}!` }],
      structuredContent: { greeting: `Hello, ${name}!` },
    }),
  );
  mcp.registerTool('now', { description: 'Takes no arguments.' }, () => ({
    content: [{ type: 'text', text: 'noon' }],
  }));
}

async function connected(
  transport: 'http' | 'stdio',
  mode: Mode,
  options: Partial<TaskServerOptions>,
): Promise<Client> {
  const { server } = await rig(options);
  if (transport === 'stdio') {
    const [end, wire] = InMemoryTransport.createLinkedPair();
    const handle = serveStdio(server, wire);
    onTestFinished(() => handle.close());
    return clientV2(end, mode, {});
  }
  const http = await serveHttp(server, { allowUnidentified: true });
  onTestFinished(() => http.close());
  return clientV2(new StreamableHTTPClientTransport(new URL(http.url)), mode, {});
}

const OURS = testTools.map(({ name }) => name);

describe.each(['http', 'stdio'] as const)('over %s', (transport) => {
  describe.each(['legacy', 'auto'] as const)('to a client of mode %s', (mode) => {
    it('tools of the SDK are listed and called beside ours', async () => {
      const client = await connected(transport, mode, { setup });
      const { tools } = await client.listTools();
      expect(tools.map(({ name }) => name)).toEqual([...OURS, 'greet', 'now']);
      expect(tools.find(({ name }) => name === 'greet')).toMatchObject({
        title: 'Greet',
        inputSchema: { properties: { name: { type: 'string' } }, required: ['name'] },
        outputSchema: { properties: { greeting: { type: 'string' } } },
      });
      for (let turn = 0; turn < 3; turn += 1) {
        expect(await client.callTool({ name: 'greet', arguments: { name: 'Ann' } })).toMatchObject({
          structuredContent: { greeting: 'Hello, Ann!' },
        });
        expect(await client.callTool({ name: 'add', arguments: { a: 1, b: turn } })).toMatchObject({
          structuredContent: { sum: 1 + turn },
        });
      }
      const [now, sum, greeting] = await Promise.all([
        client.callTool({ name: 'now' }),
        client.callTool({ name: 'add', arguments: { a: 2, b: 2 } }),
        client.callTool({ name: 'greet', arguments: { name: 'Bob' } }),
      ]);
      expect(now.content).toEqual([{ type: 'text', text: 'noon' }]);
      expect(sum.structuredContent).toEqual({ sum: 4 });
      expect(greeting.structuredContent).toEqual({ greeting: 'Hello, Bob!' });
      expect(await client.callTool({ name: 'greet' })).toMatchObject({ isError: true });
      await expect(client.callTool({ name: 'absent' })).rejects.toMatchObject({ code: -32602 });
    });

    it("the user's own handlers of the two methods are served too, page by page", async () => {
      const client = await connected(transport, mode, {
        setup({ server }) {
          server.registerCapabilities({ tools: {} });
          server.setRequestHandler('tools/list', ({ params }) => {
            const page = Number(params?.cursor ?? 0);
            const inputSchema = { type: 'object' as const };
            const tools = [{ name: `low-${page}`, inputSchema }];
            return { tools, ...(page < 2 && { nextCursor: String(page + 1) }) };
          });
          server.setRequestHandler('tools/call', ({ params }) => ({
            content: [{ type: 'text' as const, text: params.name }],
          }));
        },
      });
      const names: string[] = [];
      let cursor: string | undefined;
      do {
        const page = await client.request({
          method: 'tools/list',
          params: cursor === undefined ? {} : { cursor },
        });
        names.push(...page.tools.map(({ name }) => name));
        cursor = page.nextCursor;
      } while (cursor !== undefined);
      expect(names).toEqual([...OURS, 'low-0', 'low-1', 'low-2']);
      expect(await client.callTool({ name: 'low-1' })).toMatchObject({
        content: [{ text: 'low-1' }],
      });
      expect(await client.callTool({ name: 'add', arguments: { a: 1, b: 1 } })).toMatchObject({
        structuredContent: { sum: 2 },
      });
    });
  });
});

describe('tools of the SDK', () => {
  it('leave tasks to ours, in both dialects', async () => {
    const served = await rig({ setup });
    const client = await legacy(served);
    const call = { name: 'failing', arguments: {} };
    const created = await client.request('tools/call', { ...call, task: {} });
    expect(created.result).toMatchObject({ task: { status: 'working' } });
    const ext = await modern(served, 'tools/call', call);
    expect(ext.result).toMatchObject({ resultType: 'task', status: 'working' });
  });

  it('CORE-TOOL-2 are refused as tasks in a session, and do not run', async () => {
    let ran = 0;
    const served = await rig({
      setup: (mcp) =>
        mcp.registerTool('count', {}, () => {
          ran += 1;
          return { content: [] };
        }),
    });
    const client = await legacy(served);
    const { error } = await client.request('tools/call', { name: 'count', task: {} });
    expect(error).toMatchObject({
      code: -32601,
      message: expect.stringContaining('count') as string,
    });
    expect(ran).toBe(0);
    const unknown = await client.request('tools/call', { name: 'absent', task: {} });
    expect(unknown.error).toMatchObject({ code: -32602 });
  });

  it('EXT-CAP-4 ignore a task parameter in 2026-07-28, and so do sessions without tasks', async () => {
    const served = await rig({ setup });
    const call = { name: 'now', arguments: {}, task: { ttl: 1_000 } };
    const { result } = await modern(served, 'tools/call', call);
    expect(result).toMatchObject({ content: [{ text: 'noon' }] });
    const older = await legacy(served, { revision: '2025-06-18' });
    expect((await older.request('tools/call', call)).result).toMatchObject({
      content: [{ text: 'noon' }],
    });
  });

  it('refuse a cursor, as their list has one page', async () => {
    const client = await legacy(await rig({ setup }));
    expect((await client.request('tools/list', { cursor: 'x' })).error).toMatchObject({
      code: -32602,
    });
  });

  it('have their headers checked by their own schema', async () => {
    const served = await rig({
      setup: (mcp) =>
        mcp.registerTool(
          'at',
          { inputSchema: z.object({ city: z.string().meta({ 'x-mcp-header': 'City' }) }) },
          ({ city }) => ({ content: [{ type: 'text', text: city }] }),
        ),
    });
    const params = { name: 'at', arguments: { city: 'Riga' } };
    const status = async (headers: Record<string, string>): Promise<number> =>
      (await modernResponse(served, 'tools/call', params, { headers })).status;
    expect(await status({ 'mcp-param-city': 'Riga' })).toBe(200);
    expect(await status({ 'mcp-param-city': 'Oslo' })).toBe(400);
    expect(await status({ 'mcp-param-city': 'Riga', 'mcp-param-land': 'x' })).toBe(400);
  });

  it('can be added, disabled and removed while a session is open', async () => {
    const servers: McpServer[] = [];
    const client = await legacy(
      await rigAlone({
        setup(mcp) {
          setup(mcp);
          servers.push(mcp);
        },
      }),
    );
    const names = async (): Promise<unknown> =>
      ((await client.request('tools/list')).result?.['tools'] as { name: string }[])
        .map(({ name }) => name)
        .slice(OURS.length);
    const later = servers.at(-1)?.registerTool('later', {}, () => ({ content: [] }));
    expect(await names()).toEqual(['greet', 'now', 'later']);
    expect((await client.request('tools/call', { name: 'later' })).result).toEqual({ content: [] });
    later?.disable();
    expect(await names()).toEqual(['greet', 'now']);
    later?.enable();
    expect(() => later?.update({ name: 'add' })).toThrow(/Two tools are called "add"/);
    later?.remove();
    expect((await client.request('tools/call', { name: 'later' })).error).toMatchObject({
      code: -32602,
    });
  });

  it("leave the user's fallback handler in place", async () => {
    const served = await rig({
      setup(mcp) {
        mcp.server.fallbackRequestHandler = ({ method }) => Promise.resolve({ method });
      },
    });
    const client = await legacy(served);
    await client.request('tools/call', { name: 'add', arguments: { a: 1, b: 1 } });
    expect((await client.request('acme/custom', {})).result).toEqual({ method: 'acme/custom' });
  });

  it.each(['add', 'held'])('may not be called %s as well as one of ours', async (name) => {
    const clash = createTaskServer({
      name: 'clash',
      version: '1.0.0',
      tools: testTools,
      setup: (mcp) => mcp.registerTool(name, {}, () => ({ content: [] })),
    });
    const error: unknown = await clash.catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(TypeError);
    expect(String(error)).toContain(
      `"${name}": one in the \`tools\` of createTaskServer, one that \`setup\` registers with mcp.registerTool`,
    );
  });

  it('are served alone by a server without tools of ours', async () => {
    const client = await legacy(await rig({ setup, tools: [] }));
    const { result } = await client.request('tools/list');
    expect(at(result, ['tools'])).toMatchObject([{ name: 'greet' }, { name: 'now' }]);
    expect((await client.request('tools/call', { name: 'now' })).result).toMatchObject({
      content: [{ text: 'noon' }],
    });
  });
});
