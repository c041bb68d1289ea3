/**
 * What requests at the bounds cost beside `tools/list`, for the table in docs/security.md: `npx tsx bench/dear-requests.ts`.
 * A ratio, because the times of two machines differ. Each is the median of some, without the network.
 */
import * as z from 'zod';

import {
  createHttpHandler,
  createTaskServer,
  definePrompt,
  defineResourceTemplate,
  defineTool,
} from '../runtime/server/index.js';

const MIB = 2 ** 20;
/** A little less than `maxBodyBytes`, for what is around it. */
const ROOM = 4 * MIB - 1_000;

const server = await createTaskServer({
  name: 'bench',
  version: '1.0.0',
  tools: [
    defineTool({
      name: 'any',
      description: 'Takes any arguments.',
      input: z.looseObject({}),
      run: () => 'done',
    }),
  ],
  resources: [
    defineResourceTemplate({
      uriTemplate: 'x://{a}/{b}{?c*}',
      name: 'x',
      read: () => ({ text: 'x' }),
    }),
  ],
  prompts: [
    definePrompt({ name: 'p', args: z.object({ a: z.string() }), get: ({ args }) => args.a }),
  ],
});
const handler = createHttpHandler(server, { allowUnidentified: true });

const META = `"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":{}}`;
const request = (method: string, params = ''): string =>
  `{"jsonrpc":"2.0","id":1,"method":"${method}","params":{${META}${params && `,${params}`}}}`;
const call = (args: string): string => request('tools/call', `"name":"any","arguments":${args}`);
const names = (count: number): string =>
  `{${Array.from({ length: count }, (_, at) => `"k${at}":1`).join()}}`;

const DEAR: Readonly<Record<string, string>> = {
  '4 MiB of brackets': '['.repeat(ROOM),
  '4 MiB of objects in objects': '{"a":'.repeat(ROOM / 5),
  '300,000 names': call(names(300_000)),
  '52,000 names, the most': call(names(52_000)),
  '52,000 objects with a name each, the most': call(
    `{"a":[${Array.from({ length: 52_000 }, (_, at) => `{"k${at}":1}`).join()}]}`,
  ),
  '520,000 numbers, the most': call(`{"a":[${'1,'.repeat(520_000)}1]}`),
  '260,000 empty lists, the most': call(`{"a":[${'[],'.repeat(260_000)}1]}`),
  '4 MiB of text': call(`{"a":"${'x'.repeat(ROOM)}"}`),
  '4 MiB of escapes': call(`{"a":"${'\\u0041'.repeat(ROOM / 6)}"}`),
  'a URI of 4 MiB': request('resources/read', `"uri":"x://${'a/'.repeat(ROOM / 2)}"`),
  'a requestState of 4 MiB': request(
    'tools/call',
    `"name":"any","arguments":{},"requestState":"${'A'.repeat(ROOM)}.x"`,
  ),
  'a cursor of 4 MiB': request('tools/list', `"cursor":"${'A'.repeat(ROOM)}"`),
  'a prompt with 4 MiB': request(
    'prompts/get',
    `"name":"p","arguments":{"a":"${'x'.repeat(ROOM)}"}`,
  ),
};

async function millisecondsOf(body: string, times: number): Promise<number> {
  const [, method] = /"method":"([^"]+)"/.exec(body.slice(0, 100)) ?? [];
  const [, named] = /"(?:name|uri)":"([^"]{1,100})"/.exec(body.slice(0, 400)) ?? [];
  const headers = {
    'content-type': 'application/json',
    accept: 'application/json, text/event-stream',
    host: 'localhost',
    'mcp-protocol-version': '2026-07-28',
    ...(method !== undefined && { 'mcp-method': method }),
    ...(named !== undefined && { 'mcp-name': named }),
  };
  const found: number[] = [];
  for (let count = 0; count < times; count += 1) {
    const incoming = new Request('http://localhost/mcp', { method: 'POST', headers, body });
    const start = performance.now();
    await (await handler.fetch(incoming)).text();
    found.push(performance.now() - start);
  }
  return found.sort((a, b) => a - b)[times >> 1] ?? 0;
}

const plain = request('tools/list');
await millisecondsOf(plain, 3_000);
const base = await millisecondsOf(plain, 3_000);
const rows: [string, number][] = [];
for (const [name, body] of Object.entries(DEAR)) rows.push([name, await millisecondsOf(body, 7)]);
console.log(`tools/list: ${base.toFixed(3)} ms`);
for (const [name, ms] of rows.sort(([, a], [, b]) => b - a)) {
  console.log(`${Math.round(ms / base)} × ${name} (${ms.toFixed(1)} ms)`);
}
await server.close(0);
