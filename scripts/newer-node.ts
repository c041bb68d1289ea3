import { execFile } from 'node:child_process';
import { existsSync, mkdirSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';

/**
 * Runs programs that need a newer Node than this project. They are installed in folders below `.cache`,
 * so that npm's scripts do not use their `node`.
 */

const run = promisify(execFile);
const NEW_ENOUGH = 22;
const cache = join(import.meta.dirname, '..', '.cache');

/** This Node if it is new enough, else the one of an npm package. */
export async function newerNode(): Promise<string> {
  if (Number(process.versions.node.split('.')[0]) >= NEW_ENOUGH) return process.execPath;
  const windows = process.platform === 'win32';
  const name = `node-${windows ? 'win' : process.platform}-${process.arch}`;
  const folder = await installed('node-24', name, '24');
  return join(folder, 'bin', windows ? 'node.exe' : 'node');
}

/** The folder of a package, which is installed into `.cache/<home>` if it is missing. */
export async function installed(home: string, name: string, version: string): Promise<string> {
  const prefix = join(cache, home);
  const folder = join(prefix, 'node_modules', name);
  if (existsSync(folder)) return folder;
  console.error(`Installing ${name}@${version} in .cache/${home}`);
  // Installs beside its place and then renames, because two processes may install it at once.
  const beside = `${prefix}-${process.pid}`;
  mkdirSync(beside, { recursive: true });
  const options = ['--no-audit', '--no-fund', '--ignore-scripts', '--prefix', beside];
  await run('npm', ['install', ...options, `${name}@${version}`]);
  try {
    renameSync(beside, prefix);
  } catch (error) {
    rmSync(beside, { recursive: true });
    if (!existsSync(folder)) throw error;
  }
  return folder;
}
