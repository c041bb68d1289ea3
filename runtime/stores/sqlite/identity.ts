import { closeSync, openSync, readSync, statSync } from 'node:fs';

/** Checks that an open database is still the one at its path. */
export interface FileIdentity {
  /** Throws an Error that names the file that was deleted or replaced. */
  check(): void;
  /** The same, unless the last check was a moment ago. */
  checkAgain(): void;
  /**
   * Call it after the database was closed, because closing any descriptor of a file releases the
   * process's locks on it.
   */
  close(): void;
}

/** Milliseconds in which a file that was just checked counts as the same. */
const MOMENT_MS = 5;
const HEADER_BYTES = 100;
/**
 * The parts of SQLite's header that identify the file and its schema. They stay the same while the store
 * is open; the counters between them change.
 */
const CONSTANT_RANGES = [
  [0, 18],
  [40, 72],
] as const;

/**
 * Detects files that were deleted, replaced, or overwritten by another database. It costs a look-up by
 * path for each file and a read of 100 bytes.
 *
 * `companions` are the files beside the database without which it cannot be written safely. The
 * header has to be on disk: take the identity after a checkpoint.
 */
export function identityOf(file: string, companions: readonly string[]): FileIdentity {
  const watched = [file, ...companions].map((path) => ({ path, inode: inodeOf(path) }));
  const descriptor = openSync(file, 'r');
  const header = readHeader(descriptor);
  let checkedAt = -Infinity;

  function check(): void {
    for (const { path, inode } of watched) {
      const found = inodeOf(path);
      if (found === inode) continue;
      const what = found === undefined ? 'deleted' : 'replaced';
      throw new Error(`${path} was ${what} while it was open. Restart the server.`);
    }
    if (!readHeader(descriptor).equals(header)) {
      throw new Error(`${file} was overwritten while it was open. Restart the server.`);
    }
    checkedAt = performance.now();
  }

  return {
    check,
    checkAgain() {
      if (performance.now() - checkedAt > MOMENT_MS) check();
    },
    close: () => closeSync(descriptor),
  };
}

function inodeOf(path: string): string | undefined {
  const found = statSync(path, { bigint: true, throwIfNoEntry: false });
  return found && `${found.dev}:${found.ino}`;
}

function readHeader(descriptor: number): Buffer {
  const header = Buffer.alloc(HEADER_BYTES);
  readSync(descriptor, header, 0, HEADER_BYTES, 0);
  return Buffer.concat(CONSTANT_RANGES.map(([start, end]) => header.subarray(start, end)));
}
