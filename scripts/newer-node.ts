import { execFile } from 'node:child_process';
import { existsSync, mkdirSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';

/**
 * Programs that need a newer Node than this project does. They live in folders of their own below
 * `.cache`, so that nothing of theirs becomes the `node` that npm's scripts run.
 */

const run = promisify(execFile);
const NEW_ENOUGH = 22;
const cache = join(import.meta.dirname, '..', '.cache');

/** This Node if it is new enough, else the one that npm has as a package. */
export async function newerNode(): Promise<string> {
  if (Number(process.versions.node.split('.')[0]) >= NEW_ENOUGH) return process.execPath;
  const windows = process.platform === 'win32';
  const name = `node-${windows ? 'win' : process.platform}-${process.arch}`;
  const folder = await installed('node-24', name, '24');
  return join(folder, 'bin', windows ? 'node.exe' : 'node');
}

/** The folder of a package, which is installed into `.cache/<home>` unless it is there. */
export async function installed(home: string, name: string, version: string): Promise<string> {
  const prefix = join(cache, home);
  const folder = join(prefix, 'node_modules', name);
  if (existsSync(folder)) return folder;
  console.error(`Installing ${name}@${version} in .cache/${home}`);
  // Beside its place and then moved, for two processes may want it at once.
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
