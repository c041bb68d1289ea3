import { GrowingBytes } from '../../../transport/reading/growing-bytes.js';
import { LineCutter } from '../../../transport/reading/lines.js';
import { tooLong } from '../../index.js';

const CARRIAGE_RETURN = 0x0d;
const OPENING_BRACE = 0x7b;
const CLOSING_BRACE = 0x7d;

/**
 * Cuts bytes into lines, and takes those that may be JSON objects. `takeSeveral` gets lines that may be one object: the
 * first and the last are a brace alone. `leaveOut` gets all others. The function that it returns throws for a line of more
 * than `most` bytes.
 */
export function lineReader(
  most: number,
  take: (line: Uint8Array) => void,
  takeSeveral: (lines: Uint8Array) => void,
  leaveOut: (line: Uint8Array) => void,
): (chunk: Uint8Array) => void {
  const cutter = new LineCutter(most);
  let several: GrowingBytes | undefined;

  function takeLine(line: Uint8Array): void {
    if (line.includes(OPENING_BRACE)) take(line);
    else if (several === undefined) leaveOut(line);
    if (isAlone(line, OPENING_BRACE)) several = new GrowingBytes();
    several?.add(line);
    if (several !== undefined && isAlone(line, CLOSING_BRACE)) takeSeveral(several.whole());
    if (isAlone(line, CLOSING_BRACE) || (several?.length ?? 0) > most) several = undefined;
  }

  return (chunk) => {
    for (const line of cutter.push(chunk)) {
      if ('tooLong' in line) throw tooLong(most);
      takeLine(line.bytes);
    }
    if (cutter.isTooLong) throw tooLong(most);
  };
}

function isAlone(line: Uint8Array, byte: number): boolean {
  const { length } = line;
  return line[0] === byte && (length === 1 || (length === 2 && line[1] === CARRIAGE_RETURN));
}
