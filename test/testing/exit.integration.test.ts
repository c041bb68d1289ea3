import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, it, onTestFinished } from 'vitest';

/** A process that uses the built entry, as projects do. */

const root = fileURLToPath(new URL('../..', import.meta.url));

const PROGRAM = `
import { startIssuer, startTestServer } from '@mcp-codegen/runtime/testing';
import { defineServer, defineTool } from '@mcp-codegen/runtime/server';
import * as z from 'zod';

const count = defineTool({
  name: 'count',
  description: 'Counts.',
  input: z.object({ text: z.string() }),
  output: z.object({ words: z.number() }),
  taskSupport: 'optional',
  run: ({ args }) => ({ words: args.text.split(' ').length }),
});
const hang = defineTool({
  name: 'hang',
  description: 'Hangs.',
  input: z.object({}),
  taskSupport: 'optional',
  run: () => new Promise(() => undefined),
});
const definition = defineServer({ name: 'test', version: '1.0.0', tools: [count, hang] });
for (const over of ['memory', 'http']) {
  const server = await startTestServer(definition, { over });
  console.log(over, (await server.callEachWay('count', { text: 'one two' })).length);
  for (const way of server.ways) server.call('hang', {}, { way }).catch(() => undefined);
  await new Promise((resolve) => setTimeout(resolve, 50));
  await server.close();
}
const issuer = await startIssuer();
issuer.token();
await issuer.close();
console.log('closed');
`;

it('close leaves nothing that keeps a process alive', async () => {
  mkdirSync(join(root, '.cache'), { recursive: true });
  const folder = mkdtempSync(join(root, '.cache', 'testing-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  writeFileSync(join(folder, 'program.mjs'), PROGRAM);
  const child = spawn(process.execPath, [join(folder, 'program.mjs')], {
    stdio: ['ignore', 'pipe', 'pipe'],
    timeout: 60_000,
  });
  let output = '';
  child.stdout.on('data', (text: Buffer) => (output += String(text)));
  child.stderr.on('data', (text: Buffer) => (output += String(text)));
  const [code, signal] = (await once(child, 'close')) as [number | null, string | null];
  expect({ code, signal, output }).toEqual({
    code: 0,
    signal: null,
    output: 'memory 4\nhttp 4\nclosed\n',
  });
});
