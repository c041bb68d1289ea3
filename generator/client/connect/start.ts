import { accessSync, constants, statSync } from 'node:fs';
import spawn from 'cross-spawn';
import type { ChildProcess, StdioOptions } from 'node:child_process';
import { delimiter, resolve } from 'node:path';
import type { ProcessLocation } from './location.js';
import { HAS_GROUPS } from './process-group.js';

/**
 * Starts a server as the leader of a process group, where there are groups. An error of the start has the code that
 * `failureByCode` explains.
 */
export function startServer(location: ProcessLocation, stdio: StdioOptions): ChildProcess {
  const { command, args, cwd, env } = location;
  const options = { cwd, env, detached: HAS_GROUPS, windowsHide: true, stdio };
  return spawn(command, args, options).prependOnceListener('error', (error: Error) =>
    Object.assign(error, { code: startCode(error, location) }),
  );
}

/**
 * The system says EACCES for a command that is nowhere when the PATH names a folder that may not be entered, and ENOENT
 * for a script whose interpreter is missing. So the command is looked up.
 */
function startCode(
  { code }: NodeJS.ErrnoException,
  { command, cwd, env }: ProcessLocation,
): string | undefined {
  if (!HAS_GROUPS || (code !== 'EACCES' && code !== 'ENOENT')) return code;
  const folders = command.includes('/') ? [''] : (env?.['PATH'] ?? '').split(delimiter);
  const files = folders
    .map((folder) => resolve(cwd ?? '', folder, command))
    .filter((path) => isFile(path));
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
