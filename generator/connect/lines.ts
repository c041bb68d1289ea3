import { TooLarge } from './too-large.js';

const LINE_FEED = 0x0a;
const OPENING_BRACE = 0x7b;

/**
 * Cuts bytes into lines, and takes those that may be JSON objects.
 *
 * @throws {TooLarge} from the function that it returns, when there were more than `mostBytes` in all.
 */
export function lineReader(
  mostBytes: number,
  take: (line: string) => void,
): (chunk: Buffer) => void {
  let left = mostBytes;
  /** The beginning of the next line. */
  let begun: Buffer[] = [];

  return (chunk) => {
    left -= chunk.length;
    if (left < 0) throw new TooLarge(mostBytes);
    let start = 0;
    for (let end = chunk.indexOf(LINE_FEED); end !== -1; end = chunk.indexOf(LINE_FEED, start)) {
      const rest = chunk.subarray(start, end);
      const line = begun.length === 0 ? rest : Buffer.concat([...begun, rest]);
      begun = [];
      start = end + 1;
      if (line.includes(OPENING_BRACE)) take(line.toString());
    }
    if (start < chunk.length) begun.push(chunk.subarray(start));
  };
}
