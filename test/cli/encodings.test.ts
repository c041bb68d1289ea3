import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { printLock } from '../../contracts/lock/index.js';
import { mock } from '../../contracts/mock/mock.js';
import { LOCK } from '../lock/locks.js';
import { runHere, type Result } from './in-process.js';

let cwd: string;
beforeAll(() => {
  cwd = mkdtempSync(join(tmpdir(), 'mcp-codegen-encodings-'));
  const text = printLock(LOCK);
  writeFileSync(join(cwd, 'plain.json'), text);
  writeFileSync(join(cwd, 'mark.json'), `\ufeff${text}`);
  writeFileSync(join(cwd, 'utf-16.json'), Buffer.from(`\ufeff${text}`, 'utf16le'));
  writeFileSync(join(cwd, 'latin-1.json'), Buffer.from(text.replace('library', 'é'), 'latin1'));
});
afterAll(() => rmSync(cwd, { recursive: true }));

const run = (...argv: string[]): Promise<Result> => runHere(argv, cwd);

it.each(['plain', 'mark', 'utf-16'])('a lock is read by each command: %s', async (name) => {
  const file = `${name}.json`;
  const lines = (text: string): string => text.replaceAll(file, 'plain.json');
  const linted = await run('lint', file);
  expect(lines(linted.text)).toBe((await run('lint', 'plain.json')).text);
  expect(await run('lock', '--check', file, '--out', 'plain.json')).toMatchObject({ code: 0 });
  const server = await mock(undefined, { lock: join(cwd, file) });
  await server.close();
});

it('bytes that are no text are refused, with their line', async () => {
  const line =
    printLock(LOCK)
      .split('\n')
      .findIndex((each) => each.includes('library')) + 1;
  const problem = `The text is not UTF-8: line ${String(line)} has other bytes.`;
  for (const argv of [
    ['lint', 'latin-1.json'],
    ['lock', '--check', 'latin-1.json', '--out', 'plain.json'],
    ['generate', '--schema', 'latin-1.json', '--dry-run'],
    ['diff', 'latin-1.json', '2025-11-25'],
  ]) {
    const { code, text } = await run(...argv);
    expect(text).toContain(problem);
    expect(code).toBe(3);
  }
  await expect(mock(undefined, { lock: join(cwd, 'latin-1.json') })).rejects.toThrow(problem);
});
