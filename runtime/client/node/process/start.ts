import { once } from 'node:events';
import { accessSync, constants, statSync } from 'node:fs';
import { type ChildProcess, spawn, type StdioOptions } from 'node:child_process';
import { delimiter, resolve } from 'node:path';
import { missing } from '../../../optional.js';
import type { ServerCommand } from '../../index.js';
import { environmentOf } from './command.js';
import { HAS_GROUPS } from './group.js';

/**
 * Starts a server as the leader of a process group, where there are groups. Resolves when it runs. Where the start fails, the code
 * of the error says why: `NO_INTERPRETER` beside those of the system.
 */
export async function startServer(
  server: ServerCommand,
  stdio: StdioOptions,
): Promise<ChildProcess> {
  const { command, args = [], cwd } = server;
  const env = environmentOf(server);
  const options = { cwd, env, detached: HAS_GROUPS, windowsHide: true, stdio };
  const child = (await spawner())(command, args, options).prependOnceListener(
    'error',
    (error: Error) =>
      Object.assign(error, { code: startCode(error, { command, cwd, path: env['PATH'] }) }),
  );
  await once(child, 'spawn');
  return child;
}

/** Windows starts no scripts, such as `npx`, without a shell, whose quoting is hard to get right. */
async function spawner(): Promise<typeof spawn> {
  if (HAS_GROUPS) return spawn;
  const name = 'cross-spawn';
  const { default: crossSpawn } = await import('cross-spawn').catch(
    missing(name, 'Starting a server on Windows'),
  );
  return crossSpawn;
}

interface Start {
  readonly command: string;
  readonly cwd: string | undefined;
  readonly path: string | undefined;
}

/**
 * The system says EACCES for a command that is nowhere when the PATH names a folder that may not be entered, and ENOENT
 * for a script whose interpreter is missing. So the command is looked up.
 */
function startCode(
  { code }: NodeJS.ErrnoException,
  { command, cwd, path = '' }: Start,
): string | undefined {
  if (!HAS_GROUPS || (code !== 'EACCES' && code !== 'ENOENT')) return code;
  const folders = command.includes('/') ? [''] : path.split(delimiter);
  const files = folders
    .map((folder) => resolve(cwd ?? '', folder, command))
    .filter((file) => isFile(file));
  if (files.length === 0) return command.includes('/') ? code : 'ENOENT';
  return files.some(mayRun) ? 'NO_INTERPRETER' : 'EACCES';
}

function isFile(path: string): boolean {
  try {
    return statSync(path).isFile();
  } catch {
    return false;
  }
}

function mayRun(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
