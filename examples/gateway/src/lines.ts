import type { Readable, Writable } from 'node:stream';
import { once } from 'node:events';

/** A longer line ends the gateway, because it has to keep a line in memory. */
const MAX_CHARACTERS = 16 * 1024 * 1024;

/**
 * The lines of a stream. MCP ends a line with `\n` only, other than `node:readline`, which also ends it at
 * U+2028.
 */
export async function* linesOf(input: Readable): AsyncGenerator<string> {
  let rest = '';
  for await (const part of input.setEncoding('utf8') as AsyncIterable<string>) {
    const lines = (rest + part).split('\n');
    rest = lines.pop() ?? '';
    if (rest.length > MAX_CHARACTERS) throw new Error(`A line is longer than ${MAX_CHARACTERS}`);
    yield* lines.filter((line) => line.trim() !== '');
  }
  if (rest.trim() !== '') yield rest;
}

/** Writes a line, and waits while the reader is behind. A closed stream takes no more lines. */
export async function writeLine(output: Writable, line: string): Promise<void> {
  if (output.writable && !output.write(`${line}\n`)) await once(output, 'drain');
}
