import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';

import { expect, it } from 'vitest';

import { openSqliteStore } from '../../runtime/stores/index.js';
import { compiled } from '../support/program.js';
import { temporaryFolder } from '../support/stores.js';

const CHILD = compiled(new URL('../tasks/crash-child.ts', import.meta.url));

it('a second process gets an error, and opens the store after a kill -9 of the first', async () => {
  const folder = temporaryFolder();
  const file = join(folder.path, 'tasks.db');
  const child = spawn(process.execPath, [CHILD, file, '0'], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  await once(child.stdout, 'data');
  expect(() => openSqliteStore({ file })).toThrow(`${file} is in use by another process`);
  child.stdout.resume();
  child.kill('SIGKILL');
  await once(child, 'exit');
  await openSqliteStore({ file }).close();
  folder.remove();
});
