import { LineTooLarge, TooLarge } from './too-large.js';

const LINE_FEED = 0x0a;
const OPENING_BRACE = 0x7b;

/** How many bytes a server may send: all its lines together, or one line. */
export type Limit = { readonly inAll: number } | { readonly aLine: number };

/**
 * Cuts bytes into lines, and takes those that may be JSON objects.
 *
 * @throws {TooLarge} from the function that it returns, when there are more bytes than the limit.
 */
export function lineReader(limit: Limit, take: (line: Buffer) => void): (chunk: Buffer) => void {
  const most = 'inAll' in limit ? limit.inAll : limit.aLine;
  /** Of all lines, or of the line that has begun. */
  let bytes = 0;
  /** The beginning of the next line. */
  let begun: Buffer[] = [];

  function count(length: number): void {
    bytes += length;
    if (bytes > most) throw 'inAll' in limit ? new TooLarge(most) : new LineTooLarge(most);
  }

  return (chunk) => {
    let start = 0;
    for (let end = chunk.indexOf(LINE_FEED); end !== -1; end = chunk.indexOf(LINE_FEED, start)) {
      const rest = chunk.subarray(start, end);
      count(rest.length + 1);
      if ('aLine' in limit) bytes = 0;
      const line = begun.length === 0 ? rest : Buffer.concat([...begun, rest]);
      begun = [];
      start = end + 1;
      if (line.includes(OPENING_BRACE)) take(line);
    }
    if (start === chunk.length) return;
    count(chunk.length - start);
    begun.push(chunk.subarray(start));
  };
}
