import { randomUUID } from 'node:crypto';

import {
  InMemoryTaskMessageQueue,
  InMemoryTaskStore,
} from '@modelcontextprotocol/sdk/experimental/tasks';
import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import { StreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/streamableHttp.js';
import { CallToolResultSchema } from '@modelcontextprotocol/sdk/types.js';

import { PEER_POLL } from '../tasks/peer.js';
import { serveSessions } from './sessions.js';
import { WORK } from './work.js';

/** SDK v1: sessions, JSON instead of event streams, which is faster, and tasks in memory, at which it looks often. */
export function startPeer(): Promise<string> {
  const store = new InMemoryTaskStore();
  return serveSessions<StreamableHTTPServerTransport>(async (sessions) => {
    const transport = new StreamableHTTPServerTransport({
      sessionIdGenerator: () => randomUUID(),
      enableJsonResponse: true,
      onsessioninitialized: (id) => void sessions.set(id, transport),
    });
    await mcpServer(store).connect(transport);
    return transport;
  });
}

function mcpServer(store: InMemoryTaskStore): McpServer {
  const server = new McpServer(
    { name: 'peer', version: '1' },
    {
      taskStore: store,
      taskMessageQueue: new InMemoryTaskMessageQueue(),
      capabilities: { tasks: { list: {}, cancel: {}, requests: { tools: { call: {} } } } },
    },
  );
  server.registerTool('plain', { inputSchema: {} }, () => ({
    content: [{ type: 'text', text: 'done' }],
  }));
  for (const [name, work] of Object.entries(WORK)) {
    server.experimental.tasks.registerToolTask(
      name,
      { description: 'A tool', execution: { taskSupport: 'required' } },
      {
        async createTask({ taskStore, signal }) {
          // With many that wait, looking often would only cost time.
          const task = await taskStore.createTask(
            name === 'endless' ? {} : { pollInterval: PEER_POLL },
          );
          void work(signal).then((doneAt) =>
            taskStore.storeTaskResult(task.taskId, 'completed', {
              content: [{ type: 'text', text: String(doneAt) }],
            }),
          );
          return { task };
        },
        getTask: ({ taskId, taskStore }) => taskStore.getTask(taskId),
        async getTaskResult({ taskId, taskStore }) {
          return CallToolResultSchema.parse(await taskStore.getTaskResult(taskId));
        },
      },
    );
  }
  return server;
}
