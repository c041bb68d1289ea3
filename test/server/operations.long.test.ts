import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';

import { expect, it, onTestFinished } from 'vitest';

import { backupSqlite, openSqliteStore } from '../../runtime/stores/index.js';
import { availableDriver } from '../../runtime/stores/sqlite/driver.js';
import { at } from '../../runtime/peer/wire/json.js';
import { compiled } from '../support/program.js';
import { temporaryFolder } from '../support/stores.js';
import { networkTo } from './load.js';
import { APP } from './process.js';
import { legacy, until } from './support.js';

const SHIFT_CLOCK = compiled(new URL('./shift-clock.ts', import.meta.url));

interface Started {
  readonly url: string;
  readonly child: ChildProcess;
  readonly file: string;
  /** Lines on standard error so far. */
  readonly stderr: readonly string[];
}

/** A server in a process of its own, on a database of its own. */
async function started(env: Record<string, string> = {}): Promise<Started> {
  const folder = temporaryFolder();
  onTestFinished(() => folder.remove());
  const file = join(folder.path, 'tasks.db');
  const args = ['--import', SHIFT_CLOCK, ...APP.args, 'http', '--store', file];
  const child = spawn(APP.command, args, {
    stdio: ['pipe', 'pipe', 'pipe'],
    env: { ...process.env, ...env },
  });
  onTestFinished(() => void child.kill('SIGKILL'));
  const stderr: string[] = [];
  createInterface(child.stderr).on('line', (line) => stderr.push(line));
  const [url] = (await once(createInterface(child.stdout), 'line')) as [string];
  return { url, child, file, stderr };
}

/** Until when the server's worker holds its lease. */
function leaseOf(file: string): number {
  const db = availableDriver()(file);
  const row = db.prepare(`SELECT MAX(until) AS until FROM leases WHERE worker <> ''`).get();
  db.close();
  return Number(row?.['until']);
}

it.each([-3_600_000, 3_600_000])(
  'goes on renewing its lease and finishing tasks after its clock is set by %d ms',
  async (step) => {
    const { url, child, file } = await started({ CLOCK_STEP: String(step) });
    const client = await legacy(networkTo(url));
    const call = (ttl: number) =>
      client.request('tools/call', { name: 'wait', arguments: { ms: 200 }, task: { ttl } });
    const before = at((await call(80_000_000)).result, ['task', 'taskId']);
    child.kill('SIGUSR2');
    const stepped = Date.now() + step;
    // A lease of ten seconds of the new time, and a later one after that: heartbeats go on.
    const isOfNewTime = (lease: number): boolean => Math.abs(lease - stepped) < 600_000;
    const first = await until(() => Promise.resolve(leaseOf(file)), isOfNewTime);
    await until(
      () => Promise.resolve(leaseOf(file)),
      (lease) => lease > first,
    );
    const after = at((await call(80_000_000)).result, ['task', 'taskId']);
    for (const taskId of [before, after]) {
      const { result } = await client.request('tasks/result', { taskId });
      expect(result).toMatchObject({ content: [{ text: 'waited 200 ms' }] });
    }
  },
);

it('says on standard error and at /health that its database was deleted', async () => {
  const { url, file, stderr } = await started();
  const health = new URL('/health', url);
  expect((await fetch(health)).status).toBe(200);
  for (const end of ['', '-wal', '-shm', '-lock']) rmSync(file + end);
  await until(
    () => fetch(health),
    ({ status }) => status === 503,
  );
  await until(
    () => Promise.resolve(stderr.join('\n')),
    (text) => /tasks\.db\S* was deleted while it was open/.test(text),
  );
});

it('a copy that is made under load has every task that was acknowledged before', async () => {
  const { url, file } = await started();
  const client = await legacy(networkTo(url));
  const acknowledged: string[] = [];
  let loading = true;
  const load = async (): Promise<void> => {
    while (loading) {
      const params = { name: 'failing', arguments: {}, task: {} };
      const id = at((await client.request('tools/call', params)).result, ['task', 'taskId']);
      if (typeof id === 'string') acknowledged.push(id);
    }
  };
  const loads = Promise.all([load(), load(), load()]);
  await until(
    () => Promise.resolve(acknowledged.length),
    (count) => count > 20,
  );
  const promised = [...acknowledged];
  const to = `${file}.copy`;
  backupSqlite({ file, to });
  loading = false;
  await loads;
  const restored = openSqliteStore({ file: to });
  onTestFinished(() => restored.close());
  const owner = JSON.stringify(['https://issuer.example', 'ann', 'app']);
  for (const id of promised) {
    expect(await restored.get({ owner, dialect: 'core', id })).toMatchObject({ id });
  }
});
