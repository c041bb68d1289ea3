import { spawn } from 'node:child_process';
import { mkdtempSync, readdirSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { text } from 'node:stream/consumers';
import { setTimeout } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { createTaskServer, defineTool, serveHttp } from '@mcp-codegen/runtime/server';
import { afterAll, expect, it, vi } from 'vitest';
import * as z from 'zod';

const work = defineTool({
  name: 'work',
  description: 'Works for a while.',
  input: z.object({ ms: z.number() }),
  taskSupport: 'optional',
  async run({ args, task }) {
    task.progress({ progress: 1, total: 2 });
    await setTimeout(args.ms);
    return 'done';
  },
});
const server = await createTaskServer({ name: 'test', version: '1.0.0', tools: [work] });
const http = await serveHttp(server, { allowUnidentified: true, port: 0 });
afterAll(() => http.close().then(() => server.close()));
const cwd = mkdtempSync(`${tmpdir()}/client-`);
function start(...words: string[]) {
  const main = fileURLToPath(new URL('../src/main.ts', import.meta.url));
  const args = ['--import', import.meta.resolve('tsx'), main, ...words, '--', http.url];
  return spawn(process.execPath, args, { cwd });
}

it('calls a tool and shows its progress', async () => {
  const { stdout, stderr } = start('work', '{"ms":300}');
  expect((await Promise.all([text(stderr), text(stdout)])).join('')).toMatch(/50 %[^]*done\n$/);
});

it('resumes a task after kill -9', async () => {
  const first = start('work', '{"ms":3000}');
  await vi.waitFor(() => expect(readdirSync(`${cwd}/.tasks`).join()).toMatch(/json$/), 30_000);
  first.kill('SIGKILL');
  expect(await text(start().stdout)).toBe('done\n');
});
