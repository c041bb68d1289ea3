import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';

import {
  asServer,
  giveToServer,
  hasEnded,
  newFolder,
} from '../../runtime/testing/postgres/installed.js';
import { freePort } from '../../runtime/testing/free-port.js';
import type { PostgresDatabase } from './postgres.js';

const PGBOUNCER = '/usr/sbin/pgbouncer';

/** CI installs it (`apt-get install pgbouncer`), so it has to be there. */
export const hasPgBouncer = existsSync(PGBOUNCER) || process.env['CI'] === 'true';
if (!hasPgBouncer) {
  console.warn('Skipped: PgBouncer is not installed (apt-get install pgbouncer).');
}

export interface PgBouncer {
  /** For the role that owns the database. */
  readonly url: string;
  /** Ends it with kill -9. */
  kill(): Promise<void>;
  /** Starts it again at the same address. */
  start(): Promise<void>;
  stop(): Promise<void>;
}

/** Starts PgBouncer in front of a database. `settings` are those of its section `[pgbouncer]`. */
export async function startPgBouncer(
  { url }: PostgresDatabase,
  settings: Readonly<Record<string, string>>,
): Promise<PgBouncer> {
  const { hostname, port: target, username, password } = new URL(url);
  const port = await freePort();
  const folder = newFolder();
  const [file, users, log] = ['pgbouncer.ini', 'users.txt', 'log'].map((name) =>
    join(folder, name),
  ) as [string, string, string];
  const all = {
    listen_addr: '127.0.0.1',
    listen_port: String(port),
    unix_socket_dir: '',
    auth_type: 'scram-sha-256',
    auth_file: users,
    logfile: log,
    ...settings,
  };
  const lines = Object.entries(all).map(([name, value]) => `${name} = ${value}`);
  writeFileSync(users, `"${username}" "${password}"\n`);
  writeFileSync(
    file,
    ['[databases]', `* = host=${hostname} port=${target}`, '[pgbouncer]', ...lines, ''].join('\n'),
  );
  for (const path of [users, file]) giveToServer(path);
  let child: ChildProcess | undefined;

  async function start(): Promise<void> {
    writeFileSync(log, '');
    giveToServer(log);
    // It refuses to run as root, as PostgreSQL does.
    const started = spawn(PGBOUNCER, ['-q', file], { ...asServer(folder), stdio: 'ignore' });
    child = started;
    await once(started, 'spawn');
    while (!readFileSync(log, 'utf8').includes('process up')) {
      if (hasEnded(started)) throw new Error(`PgBouncer ended: ${readFileSync(log, 'utf8')}`);
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
  }

  async function end(signal: NodeJS.Signals): Promise<void> {
    if (child === undefined || hasEnded(child)) return;
    const exited = once(child, 'exit');
    child.kill(signal);
    await exited;
  }

  await start();
  const own = new URL(url);
  own.port = String(port);
  return {
    url: own.href,
    kill: () => end('SIGKILL'),
    start,
    async stop() {
      await end('SIGTERM');
      await rm(folder, { recursive: true, force: true });
    },
  };
}
