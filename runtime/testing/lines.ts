import type { Readable, Writable } from 'node:stream';
import type { OpenChannel } from '../client/index.js';

/**
 * The client's end of two pipes with lines of JSON, as a server over stdio has them. It can be opened once. `onError` gets
 * an error for each line that is not JSON.
 */
export function linesChannel(
  input: Readable,
  output: Writable,
  onError: (error: Error) => void,
): OpenChannel {
  return (receive) => {
    const gone = new AbortController();
    const end = (): void => gone.abort();
    readLines(input, (line) => {
      const value = valueOf(line);
      if (value !== undefined) receive(value);
      else if (line.trim() !== '') onError(notJson(line));
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

/** Characters of a line that an error quotes. */
const QUOTED = 100;

function notJson(line: string): Error {
  return new Error(`The server wrote a line that is not JSON: ${line.slice(0, QUOTED)}`);
}

/** Undefined for what is not JSON. */
function valueOf(line: string): unknown {
  try {
    return JSON.parse(line) as unknown;
  } catch {
    return undefined;
  }
}
