import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect, it, onTestFinished } from 'vitest';
import { openSqliteStore } from '@mcp-codegen/runtime/stores/sqlite';

const script = fileURLToPath(new URL('../src/backup.ts', import.meta.url));

it('copies the tasks of a store that is open', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'my-mcp-server-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const [file, copy] = [join(folder, 'tasks.db'), join(folder, 'copy.db')];
  const store = openSqliteStore({ file });
  onTestFinished(() => store.close());
  const env = { ...process.env, DATABASE: file };
  const run = () =>
    promisify(execFile)(process.execPath, ['--import', 'tsx', script, copy], { env });
  expect((await run()).stdout).toContain(copy);
  const restored = openSqliteStore({ file: copy });
  onTestFinished(() => restored.close());
  expect(await restored.secret()).toEqual(await store.secret());
  // A copy is never overwritten.
  await expect(run()).rejects.toThrow('exists already');
});
