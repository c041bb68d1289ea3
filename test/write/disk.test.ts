import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import {
  applyPlan,
  ConflictError,
  diskFolder,
  isSafePath,
  makePlan,
} from '../../generator/write/index.js';
import type { Folder, Wanted } from '../../generator/write/index.js';

let scratch: string;
let folder: Folder;

beforeEach(() => {
  scratch = mkdtempSync(join(tmpdir(), 'mcp-codegen-write-'));
  folder = diskFolder(join(scratch, 'out'));
});
afterEach(() => rmSync(scratch, { recursive: true }));

const WANTED: Wanted = {
  name: 'a',
  input: '',
  clean: true,
  files: new Map([['a/types.ts', { text: 'generated' }]]),
};

const run = (force = false): void =>
  applyPlan(makePlan(folder, [WANTED], { force, prune: true }), folder);

describe('diskFolder', () => {
  it('creates missing folders and leaves no temporary files', () => {
    run();
    expect(readFileSync(join(scratch, 'out/a/types.ts'), 'utf8')).toBe('generated');
    expect(readdirSync(join(scratch, 'out/a'))).toEqual(['types.ts']);
    expect(readdirSync(join(scratch, 'out')).sort()).toEqual(['a', 'manifest.json']);
  });

  // `mkdir` with `recursive` never ends there, on Node 20 and 24.
  it.runIf(existsSync('/proc/self'))('fails where no folder can be made', () => {
    expect(() => diskFolder('/proc/mcp-codegen/a').write('b', 'c')).toThrow(/ENOENT/);
  });

  it('takes a checkout with CRLF for the same text, and other bytes for an edit', () => {
    const file = join(scratch, 'out/a/types.ts');
    const lines = { ...WANTED, files: new Map([['a/types.ts', { text: 'Größe\nb\n' }]]) };
    const actions = (): string[] =>
      makePlan(folder, [lines], { force: false, prune: true }).map(({ action }) => action);
    applyPlan(makePlan(folder, [lines], { force: false, prune: true }), folder);
    writeFileSync(file, 'Größe\r\nb\r\n');
    expect(actions()).toEqual(['skip', 'skip']);
    for (const edited of ['Größe\r\nc\r\n', 'Größe\r\nb\r\r\n', 'Größe\r\nb\r\n\0']) {
      writeFileSync(file, edited);
      expect(actions()).toContain('conflict');
    }
  });

  it('removes folders that become empty, and no others', () => {
    run();
    mkdirSync(join(scratch, 'out/b'));
    applyPlan(makePlan(folder, [], { force: false, prune: true }), folder);
    expect(readdirSync(join(scratch, 'out')).sort()).toEqual(['b', 'manifest.json']);
  });

  it('neither follows nor replaces a symbolic link to a folder, even with force', () => {
    mkdirSync(join(scratch, 'elsewhere'));
    mkdirSync(join(scratch, 'out'));
    symlinkSync(join(scratch, 'elsewhere'), join(scratch, 'out/a'));
    expect(() => run()).toThrow(ConflictError);
    expect(() => run(true)).toThrow('a symbolic link');
    expect(readdirSync(join(scratch, 'elsewhere'))).toEqual([]);
    expect(() => folder.write('a/types.ts', 'x')).toThrow('a symbolic link');
    expect(existsSync(join(scratch, 'elsewhere/types.ts'))).toBe(false);
  });

  it('neither follows nor replaces a symbolic link to a file, even with force', () => {
    mkdirSync(join(scratch, 'out/a'), { recursive: true });
    writeFileSync(join(scratch, 'secret'), 'mine');
    symlinkSync(join(scratch, 'secret'), join(scratch, 'out/a/types.ts'));
    expect(() => run(true)).toThrow(ConflictError);
    expect(readFileSync(join(scratch, 'secret'), 'utf8')).toBe('mine');
  });

  it('reports a conflict for a folder in place of a file', () => {
    mkdirSync(join(scratch, 'out/a/types.ts'), { recursive: true });
    expect(() => run(true)).toThrow('is a folder');
  });

  it('may itself be a symbolic link', () => {
    mkdirSync(join(scratch, 'real'));
    symlinkSync(join(scratch, 'real'), join(scratch, 'out'));
    run();
    expect(existsSync(join(scratch, 'real/a/types.ts'))).toBe(true);
  });
});

describe('isSafePath', () => {
  it.each(['a', 'a/b.ts', '2025-11-25/types.ts', '.hidden', 'a..b/c', 'console', 'com', 'a.con'])(
    'takes %j',
    (path) => {
      expect(isSafePath(path)).toBe(true);
      expect(() => folder.look(path)).not.toThrow();
    },
  );

  it.each([
    '',
    '/a',
    'a/',
    'a//b',
    '..',
    '../a',
    'a/../../b',
    './a',
    'a\\..\\b',
    'C:/a',
    'a\0b',
    'a\nb',
    'con',
    'a/NUL.txt',
    'com1/a',
    'a.',
    'a /b',
    '...',
  ])('refuses %j', (path) => {
    expect(isSafePath(path)).toBe(false);
    expect(() => folder.look(path)).toThrow('not a path inside');
    expect(() => folder.write(path, '')).toThrow('not a path inside');
    expect(() => folder.remove(path)).toThrow('not a path inside');
  });
});
