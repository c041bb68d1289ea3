// A server as `npm run build` makes it, with a store that other processes can open: `sqlite <file>` or `postgres <url>`.
// Runs a task, or finds the one whose id is given; prints the task.
/* global fetch */
import { createTaskServer, defineTool, serveHttp } from '@mcp-codegen/runtime/server';
import * as z from 'zod';

const [, , kind, place, earlier] = process.argv;

async function open() {
  if (kind === 'sqlite') {
    const { openSqliteStore } = await import('@mcp-codegen/runtime/stores/sqlite');
    return openSqliteStore({ file: place });
  }
  const { openPostgresStore } = await import('@mcp-codegen/runtime/stores/postgres');
  return openPostgresStore({ connectionString: place });
}

const server = await createTaskServer({
  name: 'stores',
  version: '1',
  store: await open(),
  tools: [
    defineTool({
      name: 'work',
      description: 'Works',
      input: z.object({}),
      taskSupport: 'required',
      run: () => 'done',
    }),
  ],
});
const http = await serveHttp(server, { allowUnidentified: true });

async function request(method, name, params) {
  const response = await fetch(http.url, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      'mcp-protocol-version': '2026-07-28',
      'mcp-method': method,
      'mcp-name': name,
    },
    body: JSON.stringify({
      jsonrpc: '2.0',
      id: 1,
      method,
      params: {
        ...params,
        _meta: {
          'io.modelcontextprotocol/protocolVersion': '2026-07-28',
          'io.modelcontextprotocol/clientInfo': { name: 'test', version: '1' },
          'io.modelcontextprotocol/clientCapabilities': {
            extensions: { 'io.modelcontextprotocol/tasks': {} },
          },
        },
      },
    }),
  });
  const { result, error } = await response.json();
  if (error) throw new Error(error.message);
  return result;
}

const call = { name: 'work', arguments: {} };
const taskId = earlier ?? (await request('tools/call', 'work', call)).taskId;
let task;
do task = await request('tasks/get', taskId, { taskId });
while (task.status === 'working');
console.log(JSON.stringify(task));
await http.close();
await server.close(0);
process.exit();
