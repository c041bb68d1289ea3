import { readFileSync } from 'node:fs';

import {
  createMcpHandler,
  InMemoryTransport as InMemoryTransport2,
  McpServer as McpServer2,
} from '@modelcontextprotocol/server';
import { ZodJsonSchemaAdapter } from '@tmcp/adapter-zod';
import { HttpTransport } from '@tmcp/transport-http';
import { InMemoryTaskStore } from '@modelcontextprotocol/sdk/experimental/tasks';
import { SUPPORTED_PROTOCOL_VERSIONS } from '@modelcontextprotocol/sdk/types.js';
import { compile } from 'json-schema-to-typescript';
import { McpServer as Tmcp } from 'tmcp';
import { describe, expect, it, onTestFinished } from 'vitest';
import * as z from 'zod';

import { startPeer, type Peer, type PeerWork } from '../../bench/tasks/peer.js';
import { loadRevision } from '../../generator/read/load/index.js';
import { readPeers } from '../../scripts/docs/peers.js';
import { root } from './snippets.js';

describe('docs/peers.json', () => {
  const { columns, rows } = readPeers(root);
  const claims = rows.flatMap(({ what, cells }) =>
    cells.flatMap((cell, index) => (cell ? [[what, columns[index] ?? '', cell] as const] : [])),
  );

  it.each(claims)(
    '%s: what it says of %s has a test or a row of the benchmark',
    (_, __, { by }) => {
      const [, path = '', name = ''] = /^(\S+\.ts): (.+)$/.exec(by) ?? [];
      expect(path).toMatch(/^(?:test\/.*\.test|bench\/.*)\.ts$/);
      const text = readFileSync(root + path, 'utf8');
      expect(
        ["'", '"', '`'].some((quote) => text.includes(quote + name + quote)),
        by,
      ).toBe(true);
    },
  );

  it('has a cell or null for each column, and one of ours in each row', () => {
    for (const { what, cells } of rows) {
      expect(cells, what).toHaveLength(columns.length);
      expect(cells[0], what).not.toBeNull();
      expect(cells.filter(Boolean).length, what).toBeGreaterThan(1);
    }
  });
});

/** What docs/peers.json says of the peers, tried on the installed versions. */

const tool = { name: 'work', arguments: {} };

/** SDK v1 with one tool. The test does the tool's work; by default its task never ends. */
async function v1(work: PeerWork = () => undefined): Promise<Peer> {
  const peer = await startPeer(work);
  onTestFinished(() => peer.close());
  return peer;
}

describe('SDK v1', () => {
  it('negotiates no revision after 2025-11-25', () => {
    expect([...SUPPORTED_PROTOCOL_VERSIONS].sort().at(-1)).toBe('2025-11-25');
  });

  it('makes a task of a call in the core dialect', async () => {
    const peer = await v1();
    const id = await peer.start();
    expect(await peer.client.experimental.tasks.getTask(id)).toMatchObject({ status: 'working' });
  });

  it('keeps tasks in the memory of one process', async () => {
    const peer = await v1();
    const id = await peer.start();
    expect(await peer.store.getTask(id)).not.toBeNull();
    expect(await new InMemoryTaskStore().getTask(id)).toBeNull();
  });

  it('does not abort the signal of the handler when its task is cancelled', async () => {
    let aborted: (() => boolean) | undefined;
    const peer = await v1((_, signal) => (aborted = () => signal.aborted));
    const id = await peer.start();
    expect(await peer.cancel(id)).toMatchObject({
      status: 'cancelled',
    });
    expect(aborted?.()).toBe(false);
  });

  it('loses a task at once whose ttl is longer than 24.8 days', async () => {
    const { store } = await v1();
    const params = { method: 'tools/call', params: tool };
    const { taskId } = await store.createTask({ ttl: 2 ** 31 }, 1, params);
    await expect.poll(() => store.getTask(taskId)).toBeNull();
  });
});

const described = { description: 'Works', inputSchema: z.object({}) };

function v2(): McpServer2 {
  const server = new McpServer2({ name: 'peer', version: '1' });
  server.registerTool(tool.name, described, () => ({ content: [{ type: 'text', text: 'done' }] }));
  return server;
}

describe('SDK v2', () => {
  it('answers -32601 to tasks/list in a session of 2025-11-25', async () => {
    const [mine, theirs] = InMemoryTransport2.createLinkedPair();
    await v2().connect(theirs);
    onTestFinished(() => mine.close());
    await mine.start();
    const ask = (id: number, method: string, params: object): Promise<unknown> =>
      new Promise((resolve, reject) => {
        mine.onmessage = resolve;
        mine.send({ jsonrpc: '2.0', id, method, params: { ...params } }).catch(reject);
      });
    const clientInfo = { name: 'app', version: '1' };
    const hello = { protocolVersion: '2025-11-25', capabilities: { tasks: {} }, clientInfo };
    expect(await ask(1, 'initialize', hello)).toMatchObject({
      result: { protocolVersion: '2025-11-25', capabilities: { tools: {} } },
    });
    expect(await ask(2, 'tasks/list', {})).toMatchObject({ error: { code: -32601 } });
  });

  it('serves 2026-07-28, and answers -32601 to tasks/get', async () => {
    const handler = createMcpHandler(v2);
    const ask = modern((request) => handler.fetch(request));
    expect(await ask('tools/call', tool, tool.name)).toMatchObject(DONE);
    expect(await ask('tasks/get', { taskId: 'a' }, 'a')).toMatchObject({ error: { code: -32601 } });
  });
});

type Fetch = (request: Request) => Promise<Response | null>;

/** Posts a message, and resolves with the first one of the answer. */
async function posted(fetch: Fetch, message: object, headers: HeadersInit = {}): Promise<unknown> {
  const request = new Request('http://127.0.0.1/mcp', {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      ...headers,
    },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, ...message }),
  });
  const text = (await (await fetch(request))?.text()) ?? '';
  return JSON.parse(/^(?:data: )?(\{.*)$/m.exec(text)?.[1] ?? text) as unknown;
}

/** Requests of 2026-07-28 of a client that takes tasks. */
function modern(fetch: Fetch): (method: string, params: object, name?: string) => Promise<unknown> {
  const _meta = {
    'io.modelcontextprotocol/protocolVersion': '2026-07-28',
    'io.modelcontextprotocol/clientInfo': { name: 'app', version: '1' },
    'io.modelcontextprotocol/clientCapabilities': {
      extensions: { 'io.modelcontextprotocol/tasks': {} },
    },
  };
  return (method, params, name) =>
    posted(
      fetch,
      { method, params: { ...params, _meta } },
      {
        'mcp-protocol-version': '2026-07-28',
        'mcp-method': method,
        ...(name !== undefined && { 'mcp-name': name }),
      },
    );
}

const DONE = { result: { content: [{ text: 'done' }] } };

describe('tmcp', () => {
  const server = new Tmcp(
    { name: 'peer', version: '1', description: 'A server' },
    { adapter: new ZodJsonSchemaAdapter(), capabilities: { tools: {} } },
  );
  server.tool({ name: tool.name, description: 'Works', schema: z.object({}) }, () => ({
    content: [{ type: 'text', text: 'done' }],
  }));
  const transport = new HttpTransport(server, { path: '/mcp' });
  const fetch: Fetch = (request) => transport.respond(request);

  it('serves 2026-07-28, and answers -32601 to tasks/get', async () => {
    const ask = modern(fetch);
    expect(await ask('tools/call', tool, tool.name)).toMatchObject(DONE);
    expect(await ask('tasks/get', { taskId: 'a' }, 'a')).toMatchObject({ error: { code: -32601 } });
  });

  it.each([
    ['2024-11-05', '2024-11-05'],
    ['2025-03-26', '2025-03-26'],
    ['2025-06-18', '2025-06-18'],
    ['2025-11-25', '2025-06-18'],
  ])('opens sessions up to 2025-06-18, without tasks: %s as %s', async (asked, protocolVersion) => {
    const clientInfo = { name: 'app', version: '1' };
    const params = { protocolVersion: asked, capabilities: {}, clientInfo };
    const opened = await posted(fetch, { method: 'initialize', params });
    expect(opened).toMatchObject({ result: { protocolVersion, capabilities: { tools: {} } } });
    expect(opened).not.toHaveProperty('result.capabilities.tasks');
  });
});

describe('json-schema-to-typescript', () => {
  it('loses two definitions of 2026-07-28 and invents further names', async () => {
    const names = [...loadRevision('2026-07-28').document.definitions.keys()];
    const text = readFileSync(`${root}schema/2026-07-28/schema.json`, 'utf8');
    const typescript = await compile(JSON.parse(text) as object, 'Schema', {
      additionalProperties: false,
      format: false,
      unreachableDefinitions: true,
    });
    const exported = new Set(
      [...typescript.matchAll(/^export (?:interface|type) (\w+)/gm)].map(([, name]) => name ?? ''),
    );
    expect(names.filter((name) => !exported.has(name))).toHaveLength(2);
    expect([...exported].filter((name) => /\d$/.test(name)).length).toBeGreaterThan(70);
  });
});
