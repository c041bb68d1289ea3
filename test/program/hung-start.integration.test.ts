import { spawn } from 'node:child_process';
import { once } from 'node:events';

import { expect, it, onTestFinished } from 'vitest';

import { compiled } from '../support/program.js';

it('a signal ends a program whose start does not end', async () => {
  const program = compiled(new URL('./hung-start.ts', import.meta.url));
  const child = spawn(process.execPath, [program], { stdio: ['ignore', 'pipe', 'pipe'] });
  onTestFinished(() => void child.kill('SIGKILL'));
  await once(child.stdout, 'data');
  let said = '';
  child.stderr.on('data', (chunk: Buffer) => (said += chunk.toString()));
  child.kill('SIGTERM');
  expect(await once(child, 'exit')).toEqual([1, null]);
  expect(said).toContain('ending the process');
});
