import {
  chmodSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { run } from './process.js';
import type { Ended } from './process.js';

let cwd: string;
beforeEach(() => {
  cwd = mkdtempSync(join(tmpdir(), 'mcp-codegen-explore-cli-'));
});
afterEach(() => rmSync(cwd, { recursive: true }));

const explore = (...args: string[]): Promise<Ended> => run(['explore', ...args], { cwd });
const read = (path: string): string => readFileSync(join(cwd, path), 'utf8');
const write = (path: string, text: string): void => writeFileSync(join(cwd, path), text);

describe('explore', () => {
  it('writes the page of a revision, and replaces its own pages', async () => {
    expect(await explore('2025-06-18')).toEqual({
      code: 0,
      stdout: 'create    ./mcp-2025-06-18.html\n1 created.\n',
      stderr: '',
    });
    expect(read('mcp-2025-06-18.html')).toContain('<h1>2025-06-18</h1>');
    const other = await explore('2025-11-25', '--out', 'mcp-2025-06-18.html');
    expect(other).toMatchObject({
      code: 0,
      stdout: expect.stringContaining('1 updated.') as string,
    });
    expect(read('mcp-2025-06-18.html')).toContain('<h1>2025-11-25</h1>');
  });

  it('shows the latest revision by default, and with --diff what changed', async () => {
    expect(await explore('--out', 'a.html')).toMatchObject({ code: 0 });
    expect(read('a.html')).toContain('<h1>2026-07-28</h1>');
    expect(read('a.html')).not.toContain('2025-11-25 → 2026-07-28');
    expect(await explore('--diff', '2025-11-25..2026-07-28', '--out', 'b.html')).toMatchObject({
      code: 0,
    });
    expect(read('b.html')).toContain('2025-11-25 → 2026-07-28');
  });

  it('shows a schema of the user, and compares two files whose paths contain dots', async () => {
    const schema = (type: string): string => JSON.stringify({ $defs: { Mine: { type } } });
    write('..one.json', schema('string'));
    write('two.json', schema('number'));
    expect(await explore('--schema', 'two.json')).toMatchObject({ code: 0, stderr: '' });
    expect(read('mcp-two.html')).toContain('type/Mine');
    expect(await explore('--diff', './..one.json../two.json', '--out', 'c.html')).toMatchObject({
      code: 2,
    });
    expect(await explore('--diff', './..one.json..two.json', '--out', 'c.html')).toMatchObject({
      code: 0,
    });
    expect(read('c.html')).toContain('string → number');
  });

  it('does not overwrite another file, unless --force is given', async () => {
    write('notes.html', 'mine');
    expect(await explore('2025-06-18', '--out', 'notes.html')).toMatchObject({ code: 5 });
    expect(read('notes.html')).toBe('mine');
    expect(await explore('2025-06-18', '--out', 'notes.html', '--force')).toMatchObject({
      code: 0,
    });
    expect(read('notes.html')).toContain('<!doctype html>');
  });

  it.each([
    [['2025-06-18', '--diff', '2025-06-18..2025-11-25'], 'A page shows one schema'],
    [['--diff', '2025-06-18'], '--diff needs two revisions or files, not "2025-06-18".'],
    [['--diff', '2025-06-18..'], '--diff needs two revisions or files'],
    [['2025-06-19'], 'Unknown revision "2025-06-19".'],
    [['--schema', 'none.json'], 'Cannot read "none.json"'],
  ])('refuses %j', async (args, message) => {
    const { code, stderr } = await explore(...args);
    expect(code).toBe(2);
    expect(stderr).toContain(message);
    expect(readdirSync(cwd)).toEqual([]);
  });

  it.skipIf(process.platform !== 'linux')('opens the page, or says that it cannot', async () => {
    const opened = join(cwd, 'opened');
    write('xdg-open', `#!/bin/sh\nprintf %s "$1" > '${opened}'\n`);
    chmodSync(join(cwd, 'xdg-open'), 0o755);
    const args = ['explore', '2025-06-18', '--open', '--out', 'page.html'];
    const PATH = [cwd, process.env['PATH']].join(delimiter);
    expect(await run(args, { cwd, env: { PATH } })).toMatchObject({ code: 0, stderr: '' });
    await expect
      .poll(() => existsSync(opened) && readFileSync(opened, 'utf8'))
      .toMatch(/page\.html$/);
    const { code, stderr } = await run(args, { cwd, env: { PATH: join(cwd, 'none') } });
    expect(code).toBe(0);
    expect(stderr).toMatch(/^Cannot start a browser\. Open .*page\.html yourself\.\n$/);
  });

  it('gives one JSON document with --json', async () => {
    const { stdout } = await explore('2025-06-18', '--json', '--out', 'page.html');
    expect(JSON.parse(stdout)).toMatchObject({ schemaVersion: 1, page: 'page.html' });
  });
});
