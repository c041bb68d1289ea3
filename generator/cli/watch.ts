import { unwatchFile, watchFile } from 'node:fs';

/** Editors write a file in several steps. */
const INTERVAL_MS = 200;

/**
 * Resolves after one of these files has changed, appeared or vanished. Reads their times at intervals,
 * because editors replace files, which ends the events of a watched file.
 */
export function changeOf(files: readonly string[]): Promise<void> {
  return new Promise((resolve) => {
    const stop = (): void => {
      for (const file of files) unwatchFile(file, stop);
      resolve();
    };
    for (const file of files) watchFile(file, { interval: INTERVAL_MS }, stop);
  });
}
