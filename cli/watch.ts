import { statSync } from 'node:fs';
import { join } from 'node:path';

const INTERVAL_MS = 200;

/** A look at a large folder takes longer, and is a small part of the time nevertheless. */
const REST_FACTOR = 10;

/** Editors write a file in several steps. */
const STEP_MS = 50;

/**
 * The files that a result depends on, and those below folders. Their times are read at intervals,
 * because editors replace files, which ends the events of a watched file.
 */
export class WatchedFiles {
  readonly #stamps = new Map<string, Stamp>();

  /** To be called before the files are read: what changes from then on counts, also while the result is made. */
  add(...files: readonly string[]): void {
    for (const file of files) this.#stamps.set(file, [stampOf(file), () => stampOf(file)]);
  }

  /** Adds the files that `filesBelow` finds, those included that appear later. */
  addFolder(folder: string, filesBelow: (folder: string) => readonly string[]): void {
    const take = (): string => folderStamp(folder, filesBelow);
    this.#stamps.set(folder, [take(), take]);
  }

  /** Resolves after a file has changed, appeared or vanished, once its writer pauses. */
  async changed(): Promise<void> {
    const added = [...this.#stamps.values()].map(([stamp]) => stamp).join('\n');
    let seen = added;
    let took = 0;
    while (seen === added) {
      await wait(Math.max(INTERVAL_MS, REST_FACTOR * took));
      const start = performance.now();
      seen = this.#now();
      took = performance.now() - start;
    }
    for (let before = ''; before !== seen;) {
      before = seen;
      await wait(STEP_MS);
      seen = this.#now();
    }
  }

  #now(): string {
    return [...this.#stamps.values()].map(([, take]) => take()).join('\n');
  }
}

const wait = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

/** What a file or a folder was like, and is like now. */
type Stamp = readonly [added: string, take: () => string];

function stampOf(file: string): string {
  try {
    const { ino, size, mtimeNs } = statSync(file, { bigint: true });
    return [ino, size, mtimeNs].join(' ');
  } catch {
    return 'absent';
  }
}

function folderStamp(folder: string, filesBelow: (folder: string) => readonly string[]): string {
  try {
    return filesBelow(folder)
      .map((file) => `${file} ${stampOf(join(folder, file))}`)
      .join('\n');
  } catch {
    return 'absent';
  }
}
