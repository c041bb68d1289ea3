import { statSync } from 'node:fs';

const INTERVAL_MS = 200;

/** Editors write a file in several steps. */
const STEP_MS = 50;

/**
 * The files that a result depends on. Their times are read at intervals, because editors replace files, which ends
 * the events of a watched file.
 */
export class WatchedFiles {
  readonly #stamps = new Map<string, string>();

  /** To be called before the files are read: what changes from then on counts, also while the result is made. */
  add(...files: readonly string[]): void {
    for (const file of files) this.#stamps.set(file, stampOf(file));
  }

  /** Resolves after a file has changed, appeared or vanished, once its writer pauses. */
  async changed(): Promise<void> {
    const added = [...this.#stamps.values()].join('\n');
    let seen = added;
    while (seen === added) {
      await wait(INTERVAL_MS);
      seen = this.#now();
    }
    for (let before = ''; before !== seen;) {
      before = seen;
      await wait(STEP_MS);
      seen = this.#now();
    }
  }

  #now(): string {
    return [...this.#stamps.keys()].map(stampOf).join('\n');
  }
}

const wait = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

function stampOf(file: string): string {
  try {
    const { ino, size, mtimeNs } = statSync(file, { bigint: true });
    return [ino, size, mtimeNs].join(' ');
  } catch {
    return 'absent';
  }
}
