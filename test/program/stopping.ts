import { existsSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import { randomUUID } from 'node:crypto';
import { pathToFileURL } from 'node:url';

import { serve } from '@hono/node-server';
import { toNodeHandler } from '@modelcontextprotocol/node';
import { createMcpHandler, McpServer } from '@modelcontextprotocol/server';
import { McpServer as McpServer1 } from '@modelcontextprotocol/sdk/server/mcp.js';
import { StreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/streamableHttp.js';
import express from 'express';
import * as z from 'zod';

import { http, memory, runServer, stdio } from '../../runtime/program/index.js';
import {
  createHttpHandler,
  createNodeHandler,
  createTaskServer,
  defineServer,
  defineTool,
} from '../../runtime/server/index.js';
import { withTasks } from '../../runtime/server/sdk-guest/index.js';

/** Servers whose tools last until the file `RELEASE` exists, served in the way `WAY`, and stopped as our pages say. */
const { WAY = '', RELEASE = '', PROJECT = '.', DRAIN = '30000' } = process.env;
const allowUnidentified = true;

async function slow(n: unknown): Promise<string> {
  console.error(`began ${String(n)}`);
  while (!existsSync(RELEASE)) await new Promise((resolve) => setTimeout(resolve, 10));
  return `done ${String(n)}`;
}

const input = z.object({ n: z.number() });
const tools = [
  defineTool({
    name: 'own',
    description: 'Waits.',
    input,
    taskSupport: 'optional',
    run: ({ args }) => slow(args.n),
  }),
  defineTool({
    name: 'ask',
    description: 'Asks.',
    input: z.object({}),
    retryable: true,
    async run({ task }) {
      const requestedSchema = { type: 'object', properties: { name: { type: 'string' } } } as const;
      const { content } = await task.elicit({ message: 'Who?', requestedSchema });
      return `Hello, ${String(content?.['name'])}`;
    },
  }),
];
const name = { name: 'stopping', version: '1.0.0' };

function library(): McpServer {
  const server = new McpServer(name);
  server.registerTool('slow', { inputSchema: input }, async ({ n }) => ({
    content: [{ type: 'text', text: await slow(n) }],
  }));
  return server;
}

function library1(): McpServer1 {
  const server = new McpServer1(name);
  server.registerTool('slow', { inputSchema: input.shape }, async ({ n }) => ({
    content: [{ type: 'text', text: await slow(n) }],
  }));
  return server;
}

function listening(server: Server): Server {
  server.listen(0, '127.0.0.1', () => {
    const address = server.address();
    if (typeof address === 'object')
      console.error(`Serving at http://127.0.0.1:${address?.port}/mcp`);
  });
  return server;
}

const program = defineServer({ ...name, tools });
const place = { server: program, store: memory(), project: pathToFileURL(`${PROJECT}/`) };

const ways: Record<string, () => unknown> = {
  'the SDK'() {
    const handle = toNodeHandler(createMcpHandler(library));
    const app = express();
    app.all('/mcp', (request, response) => handle(request, response));
    const server = listening(createServer(app));
    process.once('SIGTERM', () => server.close());
  },
  'runServer over HTTP': () =>
    runServer({ ...place, transport: http({ allowUnidentifiedInput: true, port: 0 }) }),
  'runServer over stdio': () => runServer({ ...place, transport: stdio() }),
  async 'a guest in Express'() {
    const server = await createTaskServer({ ...name, tools, guest: library });
    const { handle } = createNodeHandler(server, { allowUnidentified });
    const app = express();
    app.use(express.json());
    app.all('/mcp', (request, response) => handle(request, response, request.body));
    const listener = listening(createServer(app));
    process.once('SIGTERM', () => {
      void server.close(Number(DRAIN)).then(() => listener.close());
    });
  },
  async 'a handler that is closed before its server'() {
    const server = await createTaskServer({ ...name, tools });
    const handler = createNodeHandler(server, { allowUnidentified });
    const listener = listening(
      createServer((request, response) => void handler.handle(request, response)),
    );
    process.once('SIGTERM', () => {
      listener.close();
      void handler.close(Number(DRAIN)).then(() => server.close());
    });
  },
  async 'a web handler in Hono'() {
    const server = await createTaskServer({ ...name, tools });
    const handler = createHttpHandler(server, { allowUnidentified });
    const listener = serve({ ...handler, port: 0, hostname: '127.0.0.1' }, ({ port }) =>
      console.error(`Serving at http://127.0.0.1:${port}/mcp`),
    );
    process.once('SIGTERM', () => {
      void server.close(Number(DRAIN)).then(() => listener.close());
    });
  },
  async withTasks() {
    const server = await createTaskServer({ ...name, tools });
    const transports = new Map<string, StreamableHTTPServerTransport>();
    const app = express();
    app.use(express.json());
    app.all('/mcp', async (request, response) => {
      const known = transports.get(String(request.headers['mcp-session-id']));
      if (known !== undefined) return known.handleRequest(request, response, request.body);
      const transport = new StreamableHTTPServerTransport({
        sessionIdGenerator: randomUUID,
        onsessioninitialized: (id) => void transports.set(id, transport),
      });
      await withTasks(library1(), server, { allowUnidentified }).connect(transport);
      return transport.handleRequest(request, response, request.body);
    });
    const listener = listening(createServer(app));
    process.once('SIGTERM', () => {
      void server
        .close(Number(DRAIN))
        .then(() => Promise.all([...transports.values()].map((each) => each.close())))
        .then(() => listener.close());
    });
  },
};
await ways[WAY]?.();
