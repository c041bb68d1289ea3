import { randomUUID } from 'node:crypto';
import {
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmdirSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import type { Stats } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import type { Folder, Found } from './folder.js';
import { sha256 } from './manifest.js';
import { isSafePath } from './path.js';

/**
 * A folder on disk; it need not exist. The folder itself may be reached through a symbolic link,
 * but none below it is followed.
 */
export function diskFolder(root: string): Folder {
  return {
    look: (path) => look(root, path),
    read: (path) =>
      look(root, path).kind === 'file' ? readFileSync(join(root, path), 'utf8') : undefined,
    write: (path, content) => writeAtomically(root, path, content),
    list: (skipped) => filesBelow(root, '', skipped).sort(),
    remove: (path) => remove(root, path),
  };
}

function filesBelow(root: string, path: string, skipped: readonly string[]): string[] {
  return readdirSync(join(root, path), { withFileTypes: true }).flatMap((entry) => {
    const inner = path === '' ? entry.name : `${path}/${entry.name}`;
    if (entry.isFile()) return [inner];
    const isListed = entry.isDirectory() && !skipped.includes(entry.name);
    return isListed ? filesBelow(root, inner, skipped) : [];
  });
}

function look(root: string, path: string): Found {
  const obstacle = obstacleBefore(root, path);
  if (obstacle) return obstacle;
  const stats = statsOf(join(root, path));
  if (!stats) return { kind: 'nothing' };
  return stats.isFile()
    ? { kind: 'file', sha256: sha256(withoutCrlf(readFileSync(join(root, path)))) }
    : { kind: 'obstacle', what: whatIs(stats) };
}

/** Git may write CRLF at a checkout on Windows, which is no edit. A file with a zero byte is not text. */
function withoutCrlf(bytes: Buffer): Buffer {
  if (!bytes.includes('\r\n') || bytes.includes(0)) return bytes;
  return Buffer.from(bytes.toString('latin1').replaceAll('\r\n', '\n'), 'latin1');
}

/** The first part of a path that is not a folder. */
function obstacleBefore(root: string, path: string): Found | undefined {
  if (!isSafePath(path)) throw new Error(`not a path inside the folder: ${JSON.stringify(path)}`);
  const segments = path.split('/').slice(0, -1);
  for (let count = 1; count <= segments.length; count += 1) {
    const stats = statsOf(join(root, ...segments.slice(0, count)));
    if (!stats) return undefined;
    if (!stats.isDirectory()) {
      return { kind: 'obstacle', what: `below ${whatIs(stats)}` };
    }
  }
  return undefined;
}

function statsOf(path: string): Stats | undefined {
  return lstatSync(path, { throwIfNoEntry: false });
}

function whatIs(stats: Stats): string {
  if (stats.isDirectory()) return 'a folder';
  if (stats.isSymbolicLink()) return 'a symbolic link';
  return stats.isFile() ? 'a file' : 'a special file';
}

/** Writes beside the target and renames, so no reader sees a partial file. */
function writeAtomically(root: string, path: string, content: string | Uint8Array): void {
  refuseObstacle(root, path);
  const target = join(root, path);
  makeFolder(dirname(target));
  const temporary = join(dirname(target), `.${basename(target)}.${randomUUID()}.tmp`);
  try {
    writeFileSync(temporary, content, { flag: 'wx' });
    renameSync(temporary, target);
  } catch (error) {
    rmSync(temporary, { force: true });
    throw error;
  }
}

/** Not with the option `recursive`, which never ends in a file system that makes no folders, such as /proc. */
function makeFolder(path: string): void {
  if (existsSync(path)) return;
  makeFolder(dirname(path));
  try {
    mkdirSync(path);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  }
}

function remove(root: string, path: string): void {
  refuseObstacle(root, path);
  rmSync(join(root, path));
  for (let folder = dirname(path); folder !== '.'; folder = dirname(folder)) {
    try {
      rmdirSync(join(root, folder));
    } catch {
      return; // It holds something else.
    }
  }
}

function refuseObstacle(root: string, path: string): void {
  const found = look(root, path);
  if (found.kind === 'obstacle') throw new Error(`${join(root, path)} is ${found.what}`);
}
