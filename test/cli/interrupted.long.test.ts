import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, describe, expect, it } from 'vitest';
import { compiled } from '../support/program.js';
import { changed, LOCK, TOOL } from '../lock/locks.js';
import { BIN } from './process.js';

const scratch = mkdtempSync(join(tmpdir(), 'mcp-codegen-interrupted-'));
afterAll(() => rmSync(scratch, { recursive: true, force: true }));

const beside = (path: string): string => fileURLToPath(new URL(path, import.meta.url));
const HOOK = compiled(new URL('killed-at.ts', import.meta.url));
const SERVER = compiled(new URL('../lock/server.ts', import.meta.url));

interface Ended {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
  readonly said: string;
}

/** Runs a command. `place`: the change of a file at which the process is killed. */
function cli(folder: string, args: readonly string[], place = 0): Ended {
  const { PATH = '' } = process.env;
  const home = join(folder, 'home');
  const { status, signal, stdout, stderr } = spawnSync(
    process.execPath,
    ['--import', HOOK, BIN, ...args],
    {
      cwd: join(folder, 'project'),
      env: { PATH, HOME: home, XDG_CONFIG_HOME: home, KILLED_AT: String(place) },
      encoding: 'utf8',
    },
  );
  return { code: status, signal, said: stdout + stderr };
}

/** All files, without the drafts and locks that a killed process leaves. The next change takes over such a lock. */
function filesIn(folder: string): Record<string, string> {
  const files = readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && !/^\..*\.tmp$|\.lock(?:\.stale)?$/.test(entry.name))
    .map((entry) => join(entry.parentPath, entry.name));
  return Object.fromEntries(
    files.sort().map((path) => [path.slice(folder.length), readFileSync(path, 'utf8')]),
  );
}

const schema = (names: readonly string[]): string =>
  JSON.stringify({ $defs: Object.fromEntries(names.map((name) => [name, { type: 'string' }])) });

type Case = readonly [
  name: string,
  prepare: (folder: string, run: (...args: string[]) => void) => void,
  args: readonly string[],
];

const GENERATE = ['generate', '--schema', 'schema.json', '--name', 'mine', '--out', 'out'];
const LOCKED = ['lock', '--', process.execPath, SERVER, 'offered.json'];
const ADD = ['servers', 'add', 'prod', '--server', 'https://example.com/mcp'];
const NEW = ['new', 'server', 'demo', '--yes', '--minimal'];

const CASES: readonly Case[] = [
  [
    'generate',
    (folder, run) => {
      writeFileSync(join(folder, 'schema.json'), schema(['Old', 'Both']));
      run(...GENERATE, '--emit', 'types,zod');
      writeFileSync(join(folder, 'schema.json'), schema(['New', 'Both']));
    },
    [...GENERATE, '--emit', 'types,validators'],
  ],
  [
    'lock',
    (folder, run) => {
      const more = changed((copy) => (copy.tools = [TOOL, { ...TOOL, name: 'more' }]));
      writeFileSync(join(folder, 'offered.json'), JSON.stringify(LOCK));
      run(...LOCKED);
      writeFileSync(join(folder, 'offered.json'), JSON.stringify(more));
    },
    LOCKED,
  ],
  ['servers add', (_, run) => run(...ADD.with(2, 'other')), ADD],
  ['servers remove', (_, run) => run(...ADD), ['servers', 'remove', 'prod']],
  ['new server', () => undefined, NEW],
  [
    'new tool',
    (_, run) => run('new', 'server', '.', '--yes', '--minimal'),
    ['new', 'tool', 'find-room'],
  ],
  [
    'update',
    (folder) => cpSync(beside('../scaffold/old-projects/minimal'), folder, { recursive: true }),
    ['update', '--fix', '--no-input'],
  ],
];

describe.each(CASES)('%s', (name, prepare, args) => {
  const prepared = join(scratch, name, 'prepared');
  const copied = (to: string): string => {
    const folder = join(scratch, name, to);
    cpSync(prepared, folder, { recursive: true });
    return folder;
  };

  it('ends the same when it is repeated, wherever it was killed', () => {
    mkdirSync(join(prepared, 'project'), { recursive: true });
    mkdirSync(join(prepared, 'home'));
    prepare(join(prepared, 'project'), (...words) =>
      expect(cli(prepared, words)).toMatchObject({ code: 0 }),
    );
    const whole = copied('whole');
    expect(cli(whole, args)).toMatchObject({ code: 0 });
    const end = filesIn(whole);
    expect(end).not.toEqual(filesIn(prepared));
    const failed: unknown[] = [];
    let place = 0;
    for (let isOver = false; !isOver;) {
      place += 1;
      const folder = copied(String(place));
      isOver = cli(folder, args, place).signal === null;
      const isDone = JSON.stringify(filesIn(folder)) === JSON.stringify(end);
      const { code, said } = cli(folder, args);
      const different = differences(filesIn(folder), end);
      // What is complete may be refused: `servers add` of a server that there is.
      if (different.length > 0 || (code !== 0 && !isDone))
        failed.push({ place, code, said, different });
      rmSync(folder, { recursive: true });
    }
    expect(failed).toEqual([]);
    expect(place).toBeGreaterThan(2);
  });
});

function differences(left: Record<string, string>, end: Record<string, string>): string[] {
  return [...new Set([...Object.keys(left), ...Object.keys(end)])].filter(
    (path) => left[path] !== end[path],
  );
}
