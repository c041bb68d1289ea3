import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { Client as ClientV1 } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport as TransportV1 } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { expect, it, onTestFinished } from 'vitest';
import * as z from 'zod';

import { createTaskServer, defineTool, serveHttp } from '../../../runtime/server/index.js';
import { INFO } from '../clients.js';
import { hold } from '../tools.js';

type Call = (params: {
  readonly name: string;
  readonly arguments?: Record<string, unknown>;
}) => Promise<unknown>;

/** The official clients as hosts use them: they list the tools, and call them. */
const HOSTS: readonly (readonly [string, (url: URL) => Promise<Call>])[] = [
  [
    'the first version of the SDK',
    async (url) => {
      const client = new ClientV1(INFO);
      await client.connect(new TransportV1(url));
      onTestFinished(() => client.close());
      await client.listTools();
      return (params) => client.callTool(params);
    },
  ],
  ['the second version of the SDK, with sessions', (url) => callOfV2(url, 'legacy')],
  ['the second version of the SDK', (url) => callOfV2(url, 'auto')],
];

async function callOfV2(url: URL, mode: 'legacy' | 'auto'): Promise<Call> {
  const client = new Client(INFO, { versionNegotiation: { mode } });
  await client.connect(new StreamableHTTPClientTransport(url));
  onTestFinished(() => client.close());
  await client.listTools();
  return (params) => client.callTool(params);
}

it.each(HOSTS)('%s starts a task, follows it and gets its result', async (name, connect) => {
  const report = defineTool({
    name: 'report',
    description: 'Writes a report.',
    input: z.object({}),
    output: z.object({ pages: z.number() }),
    taskSupport: 'required',
    async run() {
      await hold(name).released;
      return { pages: 3 };
    },
  });
  const server = await createTaskServer({
    name: 'reports',
    version: '1.0.0',
    tools: [report],
    tasksAsTools: { afterMs: 200 },
  });
  const http = await serveHttp(server, { port: 0, allowUnidentified: true });
  onTestFinished(async () => {
    await http.close();
    await server.close(0);
  });
  const call = await connect(new URL(http.url));
  const named = (await call({ name: 'report' })) as {
    readonly structuredContent: { readonly taskId: string };
  };
  const { taskId } = named.structuredContent;
  expect(named).toMatchObject({ structuredContent: { status: 'working' } });
  const args = { taskId };
  expect(await call({ name: 'task_get', arguments: args })).toMatchObject({
    structuredContent: { status: 'working' },
  });
  hold(name).release();
  await expect
    .poll(() => call({ name: 'task_wait', arguments: args }), { timeout: 20_000 })
    .toMatchObject({ structuredContent: { pages: 3 } });
});
