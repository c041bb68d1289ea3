import { spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  symlinkSync,
  lutimesSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { readManifest, diskFolder } from '../../generator/write/index.js';
import { changePrivateFile, readPrivateFile } from '../../runtime/client/node/index.js';
import { run } from '../cli/process.js';
import { compiled } from '../support/program.js';
import { temporary } from './terminal.js';

const HOLDER = compiled(new URL('lock-holder.ts', import.meta.url));
const NUMBERS = [...Array(8).keys()];

describe('commands side by side lose nothing', () => {
  it('servers add, servers remove', async () => {
    const home = temporary();
    const servers = async (...words: string[]) =>
      await run(['servers', ...words], { cwd: home, env: { XDG_CONFIG_HOME: home, HOME: home } });
    const added = await Promise.all(
      NUMBERS.map((n) => servers('add', `s${String(n)}`, '--server', 'https://x.example/mcp')),
    );
    expect(added.map(({ code }) => code)).toEqual(NUMBERS.map(() => 0));
    const names = async (): Promise<string[]> => {
      const { stdout } = await servers('--json');
      const found = JSON.parse(stdout) as { servers: readonly { name: string }[] };
      return found.servers.map(({ name }) => name).sort();
    };
    expect(await names()).toEqual(NUMBERS.map((n) => `s${String(n)}`));
    const same = await Promise.all(
      NUMBERS.map(() => servers('add', 'same', '--server', 'https://x.example/mcp')),
    );
    expect(same.filter(({ code }) => code === 0)).toHaveLength(1);
    await Promise.all(NUMBERS.map((n) => servers('remove', `s${String(n)}`)));
    expect(await names()).toEqual(['same']);
    expect(readdirSync(join(home, 'mcp-codegen'))).toEqual(['servers.json']);
  });

  it('generate, into one folder', async () => {
    const cwd = temporary();
    for (const n of NUMBERS) {
      writeFileSync(
        join(cwd, `s${String(n)}.json`),
        JSON.stringify({ $defs: { A: { type: 'string' } } }),
      );
    }
    const ended = await Promise.all(
      NUMBERS.map((n) =>
        run(['generate', '--schema', `s${String(n)}.json`, '--emit', 'types'], { cwd }),
      ),
    );
    expect(
      ended.map(({ code, stderr }) => [code, stderr.replaceAll(/^.*generated.*\n/gm, '')]),
    ).toEqual(NUMBERS.map(() => [0, '']));
    const out = join(cwd, 'generated');
    const known = [...(readManifest(diskFolder(out))?.protocols.keys() ?? [])];
    expect(known.sort()).toEqual(NUMBERS.map((n) => `s${String(n)}`));
    expect(readdirSync(out).sort()).toEqual(['manifest.json', ...known]);
    expect(await run(['check'], { cwd })).toMatchObject({ code: 0 });
  });

  it('new tool, in one project', async () => {
    const parent = temporary();
    await run(['new', 'server', 'app', '--yes'], { cwd: parent });
    const cwd = join(parent, 'app');
    const ended = await Promise.all(
      NUMBERS.map((n) => run(['new', 'tool', `tool_${'abcdefgh'[n] ?? ''}`], { cwd })),
    );
    expect(ended.map(({ code }) => code)).toEqual(NUMBERS.map(() => 0));
    const list = readFileSync(join(cwd, 'src/tools/index.ts'), 'utf8');
    for (const n of NUMBERS)
      expect(list).toMatch(new RegExp(`tool-${'abcdefgh'[n] ?? ''}\\.js`, 'i'));
    expect(existsSync(join(cwd, '.mcp-codegen.lock'))).toBe(false);
  });
});

describe('the lock of a process that was killed', () => {
  const add = (value: unknown): unknown => ({
    n: ((value as { n?: number } | undefined)?.n ?? 0) + 1,
  });

  it('is taken over, and nothing is left of it', async () => {
    const folder = temporary();
    const path = join(folder, 'x.json');
    const holder = spawn(process.execPath, [HOLDER, path]);
    await once(holder.stdout, 'data');
    const done: string[] = [];
    const waiting = Promise.all(
      NUMBERS.map(async (n) => {
        await changePrivateFile(path, add);
        done.push(String(n));
      }),
    );
    expect(existsSync(`${path}.lock`)).toBe(true);
    expect(done).toEqual([]);
    holder.kill('SIGKILL');
    await waiting;
    expect(await readPrivateFile(path)).toEqual({ n: NUMBERS.length });
    expect(readdirSync(folder).sort()).toEqual(['x.json']);
  });

  it.each([
    ['of another machine', (lock: string) => writeFileSync(lock, '{"pid":1,"host":"x.invalid"}')],
    ['that is empty', (lock: string) => writeFileSync(lock, '')],
    ['that is a folder', (lock: string) => mkdirSync(lock)],
    ['that is a link', (lock: string) => symlinkSync('/nowhere', lock)],
  ])('is taken over when it is old: one %s', async (_, make) => {
    const folder = temporary();
    const path = join(folder, 'x.json');
    for (const lock of [`${path}.lock`, `${path}.lock.stale`]) {
      make(lock);
      lutimesSync(lock, 1, 1);
    }
    await Promise.all(NUMBERS.map(() => changePrivateFile(path, add)));
    expect(await readPrivateFile(path)).toEqual({ n: NUMBERS.length });
    expect(readdirSync(folder)).toEqual(['x.json']);
  });
});
