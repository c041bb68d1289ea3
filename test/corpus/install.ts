import { execFile } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);
const CACHE = join(import.meta.dirname, '..', '..', '.cache', 'corpus');

export interface Pinned {
  readonly name: string;
  readonly version: string;
}

/**
 * The folder of a package in `.cache/corpus`, which is downloaded if it is missing. Its dependencies are not
 * installed, and no code of it runs.
 */
export async function downloaded({ name, version }: Pinned): Promise<string> {
  const home = join(CACHE, `${name.replace('/', '+')}@${version}`);
  const folder = join(home, 'package');
  if (existsSync(folder)) return folder;
  mkdirSync(CACHE, { recursive: true });
  // Unpacks beside its place and then renames, because two processes may download it at once.
  const beside = mkdtempSync(`${home}-`);
  await npm(['pack', `${name}@${version}`, '--ignore-scripts', '--pack-destination', beside]);
  await run('tar', ['-xzf', archiveOf(name, version), '--exclude', '*.js'], { cwd: beside });
  try {
    renameSync(beside, home);
  } catch (error) {
    rmSync(beside, { recursive: true });
    if (!existsSync(folder)) throw error;
  }
  return folder;
}

/** As `npm pack` names it. */
function archiveOf(name: string, version: string): string {
  return `${name.replace('@', '').replace('/', '-')}-${version}.tgz`;
}

async function npm(args: readonly string[]): Promise<void> {
  const shell = process.platform === 'win32';
  await run('npm', [...args, '--silent'], { shell });
}

/** Several downloads at a time. */
export async function downloadedAll(packages: readonly Pinned[]): Promise<Map<string, string>> {
  const folders = new Map<string, string>();
  const waiting = [...packages];
  const worker = async (): Promise<void> => {
    for (let next = waiting.shift(); next; next = waiting.shift()) {
      folders.set(next.name, await downloaded(next));
    }
  };
  await Promise.all(Array.from({ length: 4 }, worker));
  return folders;
}
