import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import {
  InMemoryTaskMessageQueue,
  InMemoryTaskStore,
} from '@modelcontextprotocol/sdk/experimental/tasks';
import { InMemoryTransport } from '@modelcontextprotocol/sdk/inMemory.js';
import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
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

/** SDK v1 with its in-memory store; client and server in one process. */
export async function startPeer(work: PeerWork): Promise<Peer> {
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
        const task = await taskStore.createTask({});
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
  const [clientSide, serverSide] = InMemoryTransport.createLinkedPair();
  await Promise.all([server.connect(serverSide), client.connect(clientSide)]);
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
    },
  };
}
