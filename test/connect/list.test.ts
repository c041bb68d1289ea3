import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Server } from '@modelcontextprotocol/sdk/server/index.js';
import { SSEServerTransport } from '@modelcontextprotocol/sdk/server/sse.js';
import { StreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/streamableHttp.js';
import { ListRootsResultSchema, ListToolsRequestSchema } from '@modelcontextprotocol/sdk/types.js';
import { afterEach, describe, expect, it } from 'vitest';
import * as z from 'zod';
import { listTools } from '../../cli/client/connect/index.js';
import { createTaskServer, defineTool, serveHttp } from '../../runtime/server/index.js';

const closing: (() => unknown)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0)) await close();
});

const namesOf = async (url: string, knowsTasks: boolean): Promise<unknown[]> => {
  const options = { timeout: 10_000, version: '1', knowsTasks };
  const { tools } = await listTools({ url: new URL(url), headers: {} }, options);
  return tools.map((tool) => (tool as { name: string }).name);
};

/** The URL of a server that has a tool for each capability of its client, and asks for the client's folders first. */
async function choosyServer(): Promise<string> {
  const server = new Server({ name: 'choosy', version: '1' }, { capabilities: { tools: {} } });
  server.setRequestHandler(ListToolsRequestSchema, async (_, { sendRequest }) => {
    const { roots } = await sendRequest({ method: 'roots/list' }, ListRootsResultSchema);
    const capabilities = Object.keys(server.getClientCapabilities() ?? {}).sort();
    const names = [...capabilities, ...roots.map(({ uri }) => uri)];
    return { tools: names.map((name) => ({ name, inputSchema: { type: 'object' as const } })) };
  });
  const transport = new StreamableHTTPServerTransport({ sessionIdGenerator: () => 'one' });
  await server.connect(transport);
  return await listening((request, response) => {
    void transport.handleRequest(request, response);
  });
}

async function listening(serve: RequestListener): Promise<string> {
  const http = createServer(serve).listen(0, '127.0.0.1');
  closing.push(
    () => http.closeAllConnections(),
    () => http.close(),
  );
  await new Promise((resolve) => http.once('listening', resolve));
  return `http://127.0.0.1:${String((http.address() as AddressInfo).port)}`;
}

describe('the list of tools', () => {
  it('has those for clients that can be asked, and names no folder', async () => {
    const url = await choosyServer();
    const names = await namesOf(url, false);
    expect(names).toEqual(['elicitation', 'roots', 'sampling']);
  });

  it('is that of a server of 2024-11-05, too', async () => {
    const server = new Server({ name: 'old', version: '1' }, { capabilities: { tools: {} } });
    const inputSchema = { type: 'object' as const };
    server.setRequestHandler(ListToolsRequestSchema, () => ({
      tools: [{ name: 'old', inputSchema }],
    }));
    let stream: SSEServerTransport | undefined;
    const url = await listening((request, response) => {
      if (request.method === 'GET') {
        stream = new SSEServerTransport('/messages', response);
        void server.connect(stream);
      } else if (request.url?.startsWith('/messages')) {
        void stream?.handlePostMessage(request, response);
      } else {
        response.writeHead(404).end();
      }
    });
    expect(await namesOf(`${url}/sse`, false)).toEqual(['old']);
  });

  it('is that for clients of tasks, or for hosts without', async () => {
    const report = defineTool({
      name: 'report',
      description: 'Writes a report.',
      input: z.object({}),
      taskSupport: 'required',
      run: () => 'done',
    });
    const [tools, tasksAsTools] = [[report], true];
    const server = await createTaskServer({ name: 'tasks', version: '1', tools, tasksAsTools });
    const http = await serveHttp(server, { allowUnidentified: true });
    closing.push(() => http.close());
    expect(await namesOf(http.url, true)).toEqual(['report']);
    expect(await namesOf(http.url, false)).toContain('task_wait');
  });
});
