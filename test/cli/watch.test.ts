import { mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { WatchedFiles } from '../../generator/cli/watch.js';

let folder: string;
const file = (name: string): string => join(folder, name);

beforeEach(() => (folder = mkdtempSync(join(tmpdir(), 'watch-'))));
afterEach(() => rmSync(folder, { recursive: true }));

describe('watched files', () => {
  const CHANGES: Record<string, (path: string) => void> = {
    written: (path) => writeFileSync(path, 'other content'),
    'of the same size': (path) => writeFileSync(path, 'CONTENT'),
    emptied: (path) => writeFileSync(path, ''),
    deleted: (path) => rmSync(path),
    replaced: (path) => {
      writeFileSync(file('new'), 'content');
      renameSync(file('new'), path);
    },
  };

  it.each(Object.keys(CHANGES))('notice a file that is %s before the wait begins', async (name) => {
    writeFileSync(file('a'), 'content');
    writeFileSync(file('b'), 'content');
    const watched = new WatchedFiles();
    watched.add(file('a'), file('b'));
    // Longer than a tick of the file system's clock.
    await wait(20);
    CHANGES[name]?.(file('b'));
    await watched.changed();
  });

  it('notice a file that appears, and one that is added later', async () => {
    const watched = new WatchedFiles();
    watched.add(file('a'));
    watched.add(file('b'));
    writeFileSync(file('b'), 'content');
    await watched.changed();
  });

  it('wait while nothing changes', async () => {
    writeFileSync(file('a'), 'content');
    const watched = new WatchedFiles();
    watched.add(file('a'), file('absent'));
    const changed = watched.changed().then(() => 'changed');
    expect(await Promise.race([changed, wait(700, 'waiting')])).toBe('waiting');
    writeFileSync(file('a'), 'other content');
    expect(await changed).toBe('changed');
  });
});
