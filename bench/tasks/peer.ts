import { randomUUID } from 'node:crypto';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { PassThrough } from 'node:stream';

import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import {
  InMemoryTaskMessageQueue,
  InMemoryTaskStore,
} from '@modelcontextprotocol/sdk/experimental/tasks';
import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js';
import { StreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/streamableHttp.js';
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js';
import { CallToolResultSchema, CreateTaskResultSchema } from '@modelcontextprotocol/sdk/types.js';

/** The work of a v1 tool on its task. */
export type PeerWork = (finish: () => Promise<void>, signal: AbortSignal, taskId: string) => void;

export interface Peer {
  readonly client: Client;
  readonly store: InMemoryTaskStore;
  /** Resolves with the new task's id. */
  start(ttl?: number): Promise<string>;
  /** A lifecycle as the SDK's client does it: create, poll, fetch. */
  call(): Promise<unknown>;
  /** `tasks/result`; resolves with its answer. */
  result(id: string): Promise<unknown>;
  cancel(id: string): Promise<unknown>;
  close(): Promise<void>;
}

/**
 * How often both ends of SDK v1 look at a task, in milliseconds: its server for a blocked `tasks/result`, too. Its default is
 * 1,000. A shorter one answers earlier, and costs more while tasks run.
 */
export const PEER_POLL = 20;

export interface PeerOptions {
  readonly pollInterval?: number;
  /** Default: the messages of stdio, without the pipe. */
  readonly kind?: 'stdio' | 'http';
}

/** SDK v1 with its in-memory store; client and server in one process. */
export async function startPeer(
  work: PeerWork,
  { pollInterval, kind = 'stdio' }: PeerOptions = {},
): Promise<Peer> {
  const store = new InMemoryTaskStore();
  const server = new McpServer(
    { name: 'peer', version: '1' },
    {
      taskStore: store,
      taskMessageQueue: new InMemoryTaskMessageQueue(),
      capabilities: { tasks: { list: {}, cancel: {}, requests: { tools: { call: {} } } } },
    },
  );
  server.experimental.tasks.registerToolTask(
    'tool',
    { description: 'A tool', execution: { taskSupport: 'required' } },
    {
      async createTask({ taskStore, signal }) {
        const task = await taskStore.createTask(pollInterval === undefined ? {} : { pollInterval });
        const finish = (): Promise<void> =>
          taskStore.storeTaskResult(task.taskId, 'completed', { content: [] });
        work(finish, signal, task.taskId);
        return { task };
      },
      getTask: ({ taskId, taskStore }) => taskStore.getTask(taskId),
      async getTaskResult({ taskId, taskStore }) {
        return CallToolResultSchema.parse(await taskStore.getTaskResult(taskId));
      },
    },
  );
  const client = new Client({ name: 'bench', version: '1' }, { capabilities: { tasks: {} } });
  const link = await (kind === 'http' ? overHttp() : overStdio());
  await server.connect(link.server);
  await client.connect(link.client);
  // Lists the tools first, because the client refuses to call an unlisted tool.
  await client.listTools();

  return {
    client,
    store,
    async start(ttl) {
      const { task } = await client.request(
        {
          method: 'tools/call',
          params: { name: 'tool', arguments: {}, task: ttl === undefined ? {} : { ttl } },
        },
        CreateTaskResultSchema,
      );
      return task.taskId;
    },
    async call() {
      const stream = client.experimental.tasks.callToolStream({ name: 'tool', arguments: {} });
      for await (const message of stream) {
        if (message.type === 'error') throw message.error;
        if (message.type === 'result') return message.result;
      }
      throw new Error('The stream ended without a result');
    },
    result: (id) =>
      client.experimental.tasks.getTaskResult(id, CallToolResultSchema, { timeout: 120_000 }),
    cancel: (id) => client.experimental.tasks.cancelTask(id),
    async close() {
      store.cleanup();
      await client.close();
      await server.close();
      link.close?.();
    },
  };
}

/** The transports of both ends. */
interface Link {
  readonly server: Transport;
  readonly client: Transport;
  readonly close?: () => void;
}

/** The SDK's transport reads and writes lines, whichever end it is. */
function overStdio(): Promise<Link> {
  const [source, target] = [new PassThrough(), new PassThrough()];
  return Promise.resolve({
    server: new StdioServerTransport(source, target),
    client: new StdioServerTransport(target, source),
  });
}

async function overHttp(): Promise<Link> {
  const server = new StreamableHTTPServerTransport({
    sessionIdGenerator: () => randomUUID(),
    enableJsonResponse: true,
  });
  const http = createServer((request, response) => void server.handleRequest(request, response));
  await new Promise<void>((resolve) => http.listen(0, '127.0.0.1', resolve));
  const { port } = http.address() as AddressInfo;
  return {
    server: server,
    client: new StreamableHTTPClientTransport(new URL(`http://127.0.0.1:${port}`)),
    close: () => {
      http.close();
      http.closeAllConnections();
    },
  };
}
