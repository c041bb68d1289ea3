#!/usr/bin/env node
import type { WriteStream } from 'node:tty';
import { setFlagsFromString } from 'node:v8';
import { format } from 'node:util';
import { printableLines, systemFailure } from '../generator/diagnostics/index.js';
import { EXIT } from './exit.js';
import { paintFor } from './io.js';
import type { Stream } from './io.js';
import { main } from './main.js';
import { hasFlag } from './values.js';

/** The events that end a wait for a stream to drain. */
const ENDS = ['drain', 'close', 'error'] as const;

/** Whether a part of the output was lost: then the command did not succeed, whatever its own exit code is. */
let isOutputLost = false;

function loseOutput(stream: WriteStream, error: Error): void {
  isOutputLost = true;
  process.exitCode = EXIT.internal;
  if (stream !== process.stdout) return;
  const reason = systemFailure(error)?.reason ?? error.message;
  process.stderr.write(`error: Cannot write the output: ${reason}.\n`);
}

/** A stream of the process. Its reader may close it early, as `head` does. */
function streamOf(stream: WriteStream, noColor: boolean): Stream {
  let open = true;
  stream.on('error', (error: NodeJS.ErrnoException) => {
    open = false;
    if (error.code !== 'EPIPE') loseOutput(stream, error);
  });
  return {
    write: (text) => {
      if (open && text !== '') stream.write(text);
    },
    paint: paintFor(stream.isTTY, process.env, noColor),
    width: stream.columns || 80,
    canRedraw: stream.isTTY && process.env['TERM'] !== 'dumb',
    drained: () =>
      new Promise((resolve) => {
        if (!open || !stream.writableNeedDrain) {
          resolve();
          return;
        }
        const done = (): void => {
          for (const event of ENDS) stream.off(event, done);
          resolve();
        };
        for (const event of ENDS) stream.on(event, done);
      }),
  };
}

// Packages print warnings that quote servers.
for (const level of ['warn', 'error'] as const) {
  console[level] = (...said: unknown[]) => {
    process.stderr.write(`${printableLines(format(...said))}\n`);
  };
}

const argv = process.argv.slice(2);
const noColor = hasFlag(argv, 'no-color');

// What these commands read is garbage soon. A young generation that does not grow keeps a third of the memory
// free, for a fifth more time at most.
if (['validate', 'record', 'guard', 'mock'].includes(argv[0] ?? ''))
  setFlagsFromString('--semi-space-growth-factor=1');

// A terminal that was given no size has 0 columns, and prompts would break each line after a character.
if (process.stderr.isTTY) process.stderr.columns ||= 80;
const interruptions = new Set<() => void>();
process.on('SIGINT', () => {
  if (interruptions.size === 0) process.exit(EXIT.interrupted);
  for (const then of [...interruptions]) then();
});
const exitCode = await main(argv, {
  out: streamOf(process.stdout, noColor),
  err: streamOf(process.stderr, noColor),
  input: () => ({ isTerminal: process.stdin.isTTY, chunks: process.stdin }),
  pipes: () => ({ input: process.stdin, output: process.stdout }),
  cwd: process.cwd(),
  terminal:
    process.stdin.isTTY && process.stderr.isTTY
      ? { input: process.stdin, output: process.stderr }
      : undefined,
  env: process.env,
  onInterrupt: (then) => {
    interruptions.add(then);
    return () => interruptions.delete(then);
  },
});
process.exitCode = isOutputLost ? EXIT.internal : exitCode;
// A terminal stays open after a question, and would keep the process waiting.
if (process.stdin.isTTY) process.stdin.unref();
