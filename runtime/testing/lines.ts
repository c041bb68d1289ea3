import type { Readable, Writable } from 'node:stream';
import type { OpenChannel } from '../client/index.js';

/** The client's end of two pipes with lines of JSON, as a server over stdio has them. It can be opened once. */
export function linesChannel(input: Readable, output: Writable): OpenChannel {
  return (receive) => {
    const gone = new AbortController();
    const end = (): void => gone.abort();
    readLines(input, (line) => {
      if (line.trim() !== '') receive(valueOf(line));
    });
    input.once('end', end).once('close', end);
    output.on('error', end);
    if (input.readableEnded || input.destroyed) end();
    return {
      gone: gone.signal,
      send: (_, text) =>
        new Promise((resolve, reject) => {
          output.write(`${text}\n`, (error) => (error ? reject(error) : resolve()));
        }),
      close: () => void output.end(),
    };
  };
}

/** Calls the listener with each line. Only a line feed ends one: JSON may contain the other separators. */
export function readLines(input: Readable, listener: (line: string) => void): void {
  let begun: string[] = [];
  input.setEncoding('utf8').on('data', (chunk: string) => {
    const [first = '', ...others] = chunk.split('\n');
    begun.push(first);
    for (const next of others) {
      listener(begun.join(''));
      begun = [next];
    }
  });
}

/** What is no JSON stays a text, which the client reports as no message. */
function valueOf(line: string): unknown {
  try {
    return JSON.parse(line) as unknown;
  } catch {
    return line;
  }
}
