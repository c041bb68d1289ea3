import { ReadBuffer } from '@modelcontextprotocol/client';
import { ReadBuffer as ReadBufferV1 } from '@modelcontextprotocol/sdk/shared/stdio.js';

/** What programs read in lines: each takes all bytes at once, and returns the messages. */
export type Reader = (bytes: Buffer) => unknown[];

function bySdk(buffer: ReadBuffer | ReadBufferV1): Reader {
  return (bytes) => {
    const found: unknown[] = [];
    buffer.append(bytes);
    for (;;) {
      try {
        const message = buffer.readMessage();
        if (message === null) return found;
        found.push(message);
      } catch {
        // As the transports of the SDK, which go on with the next line.
      }
    }
  };
}

/** Splits a text at each of these ends, also behind the last one, and reads what is JSON. */
const atEnds =
  (ends: RegExp, parse: (text: string) => unknown): Reader =>
  (bytes) =>
    bytes
      .toString()
      .split(ends)
      .flatMap((line) => {
        try {
          return [parse(line.replace(/^[\s\uFEFF\0]+/, ''))].flat();
        } catch {
          return [];
        }
      });

/** Names in lower case where the protocol has them, as readers that ignore cases take them; the first of equal ones. */
function carelessly(text: string): unknown {
  return JSON.parse(text, (_, value: unknown) => {
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
    const known = { result: 'result', params: 'params', structuredcontent: 'structuredContent' };
    const own = Object.entries(value).map(
      ([name, each]) => [known[name.toLowerCase() as 'result'] ?? name, each] as const,
    );
    return Object.fromEntries(own);
  });
}

/** The texts of values that come behind one another on a line. */
const EACH_OBJECT = /(?<=\})[\s,]*(?=\{"jsonrpc")|\r\n|[\n\r]/;

/** As `str.splitlines` of Python. */
// eslint-disable-next-line no-control-regex -- they end lines
const PYTHON_ENDS = /\r\n|[\n\r\v\f\u001c-\u001e\u0085\u2028\u2029]/;

export const READERS: Readonly<Record<string, () => Reader>> = {
  'SDK v1': () => bySdk(new ReadBufferV1()),
  'SDK v2': () => bySdk(new ReadBuffer()),
  'a reader of lines that end at CR': () => atEnds(/\r\n|[\n\r]/, JSON.parse),
  'a reader of lines that end as in Python': () => atEnds(PYTHON_ENDS, JSON.parse),
  'a reader that ignores cases': () => atEnds(/\n/, carelessly),
  'a reader of values behind one another': () => atEnds(EACH_OBJECT, JSON.parse),
};
