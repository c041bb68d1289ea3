import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { afterAll, beforeAll, expect, it, onTestFinished } from 'vitest';
import * as z from 'zod';
import { choose, SERVER } from '../../generator/scaffold/index.js';
import { buildServer, openWorkshop, PROGRAM, type Workshop } from './workshop.js';

/** Ignores its signal, and keeps the event loop alive for longer than any test waits. */
const DEAF_TOOL = `
import * as z from 'zod';
import { defineTool } from '@mcp-codegen/runtime/server';

export const deaf = defineTool({
  name: 'deaf',
  description: 'Hears no signal.',
  input: z.object({}),
  taskSupport: 'optional',
  run() {
    console.error('The deaf tool runs');
    return new Promise<string>((resolve) => setTimeout(() => resolve('late'), 600_000));
  },
});

export const tools = [deaf];
`;

let workshop: Workshop;
let root: string;
beforeAll(async () => {
  const flags = { transport: 'http', store: 'sqlite' };
  const combination = { name: 'deaf', flags, choices: choose(SERVER, flags) };
  workshop = openWorkshop();
  root = await workshop.make(combination);
  writeFileSync(join(root, 'src/tools/index.ts'), DEAF_TOOL);
  await buildServer(root);
});
afterAll(() => workshop.close());

interface Running {
  readonly child: ChildProcess;
  /** Resolves with the line on standard error that matches, also one from before. */
  readonly said: (pattern: RegExp) => Promise<RegExpExecArray>;
}

/** A server with one deaf task under way. */
async function running(drainMs: number): Promise<Running> {
  const child = spawn(process.execPath, [PROGRAM], {
    cwd: root,
    env: { ...process.env, PORT: '0', DRAIN_MS: String(drainMs) },
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  onTestFinished(() => void child.kill('SIGKILL'));
  const lines: string[] = [];
  const reader = createInterface(child.stderr).on('line', (line) => lines.push(line));
  const said: Running['said'] = async (pattern) => {
    for (;;) {
      for (const line of lines) {
        const match = pattern.exec(line);
        if (match) return match;
      }
      await once(reader, 'line');
    }
  };
  const [, url = ''] = await said(/Serving at ([^\s"]+)/);
  const client = new Client({ name: 'test', version: '1.0.0' });
  await client.connect(new StreamableHTTPClientTransport(new URL(url)));
  await client.request(
    { method: 'tools/call', params: { name: 'deaf', arguments: {}, task: {} } },
    z.looseObject({ task: z.looseObject({ taskId: z.string() }) }),
  );
  await said(/^The deaf tool runs$/);
  return { child, said };
}

it('ends after its drain although a handler ignores its signal', async () => {
  const { child } = await running(100);
  child.kill('SIGTERM');
  expect(await once(child, 'exit')).toEqual([0, null]);
});

it.each([
  ['SIGINT', 'SIGTERM', 143],
  ['SIGTERM', 'SIGINT', 130],
  ['SIGINT', 'SIGINT', 130],
  ['SIGTERM', 'SIGTERM', 143],
] as const)('ends at once at %s and then %s', async (first, second, code) => {
  // A process that waits for this drain outlives the test.
  const { child, said } = await running(300_000);
  const exited = once(child, 'exit');
  child.kill(first);
  await said(/Stopping/);
  child.kill(second);
  expect(await exited).toEqual([code, null]);
});
