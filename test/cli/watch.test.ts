import { mkdirSync, mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { WatchedFiles } from '../../cli/watch.js';
import { dataFilesBelow } from '../../generator/read/load/index.js';

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

  const IN_FOLDER: Record<string, () => void> = {
    'a schema that is written': () => writeFileSync(file('a/b/c.json'), '{"a":1}'),
    'a schema that is added': () => writeFileSync(file('a/b/d.yaml'), ''),
    'a schema that is renamed': () => renameSync(file('a/b/c.json'), file('a/b/e.json')),
    'a schema that is deleted': () => rmSync(file('a/b/c.json')),
    'its own deletion': () => rmSync(file('a'), { recursive: true }),
  };

  it.each(Object.keys(IN_FOLDER))('notice of a folder %s', async (name) => {
    mkdirSync(file('a/b'), { recursive: true });
    writeFileSync(file('a/b/c.json'), '{}');
    const watched = new WatchedFiles();
    watched.addFolder(file('a'), dataFilesBelow);
    await wait(20);
    IN_FOLDER[name]?.();
    await watched.changed();
  });

  it('ignore other files of a folder, and installed packages', async () => {
    mkdirSync(file('a/node_modules/b'), { recursive: true });
    const watched = new WatchedFiles();
    watched.addFolder(file('a'), dataFilesBelow);
    const changed = watched.changed().then(() => 'changed');
    writeFileSync(file('a/notes.txt'), 'content');
    writeFileSync(file('a/node_modules/b/package.json'), '{}');
    expect(await Promise.race([changed, wait(700, 'waiting')])).toBe('waiting');
    writeFileSync(file('a/schema.json'), '{}');
    expect(await changed).toBe('changed');
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
