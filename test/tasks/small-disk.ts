import { execFileSync } from 'node:child_process';
import { closeSync, ftruncateSync, openSync, unlinkSync, writeSync } from 'node:fs';
import { join } from 'node:path';

import { temporaryFolder } from '../support/stores.js';

/** A file system of a few megabytes that can be filled up and freed. */
export interface SmallDisk {
  readonly path: string;
  /** Takes all of the free space but `leave` bytes. */
  fill(leave: number): void;
  free(): void;
  remove(): void;
}

const CHUNK = Buffer.alloc(64 * 1_024);
const PAGE = 4_096;

/** Undefined where this process may not mount: elsewhere than on Linux, and without the rights of root. */
export function mountSmallDisk(megabytes: number): SmallDisk | undefined {
  const folder = temporaryFolder();
  try {
    const options = ['-t', 'tmpfs', '-o', `size=${megabytes}m`, 'tmpfs', folder.path];
    execFileSync('mount', options, { stdio: 'ignore' });
  } catch {
    folder.remove();
    return undefined;
  }
  const filler = join(folder.path, 'filler');
  return {
    path: folder.path,
    fill(leave) {
      const file = openSync(filler, 'w');
      const size = append(file, CHUNK.length) + append(file, PAGE);
      ftruncateSync(file, Math.max(size - leave, 0));
      closeSync(file);
    },
    free: () => unlinkSync(filler),
    remove() {
      execFileSync('umount', ['-l', folder.path]);
      folder.remove();
    },
  };
}

/** Writes pieces until the disk is full; returns how many bytes it took. */
function append(file: number, bytes: number): number {
  let size = 0;
  try {
    for (;;) size += writeSync(file, CHUNK, 0, bytes);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOSPC') return size;
    throw error;
  }
}
