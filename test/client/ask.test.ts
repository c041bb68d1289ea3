import { spawn } from 'node:child_process';
import { text } from 'node:stream/consumers';
import { expect, it } from 'vitest';
import { compiled } from '../support/program.js';
import { hasPty, openPty } from '../support/pty.js';

const ASKER = compiled(new URL('asker.ts', import.meta.url));

function start(patience: number, ...third: string[]) {
  const child = spawn(process.execPath, [ASKER, String(patience), ...third]);
  return { child, output: Promise.all([text(child.stdout), text(child.stderr)]) };
}

it('asks one question at a time, and keeps lines that arrive early', async () => {
  const { child, output } = start(60_000);
  child.stdin.end('one\ntwo\nthree\n');
  expect(await output).toEqual([
    '["one","two","three"]\n',
    'First \\u{1b}[2J? Second? \nThird? \n',
  ]);
});

it('shows a long address whole', async () => {
  const address = `https://login.example/?state=${'x'.repeat(5_000)}&end`;
  const { child, output } = start(60_000, `Open ${address}`);
  child.stdin.end('one\ntwo\nthree\n');
  expect((await output)[1]).toContain(`${address} `);
});

it('resolves with undefined at the end of the input', async () => {
  const { child, output } = start(60_000);
  child.stdin.end('one\n');
  expect((await output)[0]).toBe('["one",null,null]\n');
});

it('resolves with undefined when the question is withdrawn, and goes on to the next one', async () => {
  const { child, output } = start(500);
  child.stdin.write('one\n');
  child.stderr.on('data', (chunk: Buffer) => {
    if (String(chunk).includes('Third?')) child.stdin.end('three\n');
  });
  expect((await output)[0]).toBe('["one",null,"three"]\n');
});

it.skipIf(!hasPty)('ends the program with Ctrl-C on a terminal', async () => {
  const { typed, code } = openPty([process.execPath, ASKER, '60000']);
  await typed('?', '\u0003');
  expect(await code).toBe(130);
});
