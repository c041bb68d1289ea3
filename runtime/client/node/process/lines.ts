import { GrowingBytes } from '../../../transport/reading/growing-bytes.js';
import { LineCutter } from '../../../transport/reading/lines.js';
import { tooLong } from '../../index.js';

const CARRIAGE_RETURN = 0x0d;
const OPENING_BRACE = 0x7b;
const CLOSING_BRACE = 0x7d;

export interface LineTakers {
  /** A line that may be a JSON object. */
  readonly one: (line: Uint8Array) => void;
  /** Lines that may be one object: the first and the last are a brace alone. */
  readonly several: (lines: Uint8Array) => void;
  /** A line that is no object. */
  readonly noise: (line: Uint8Array) => void;
  /** What the end of the bytes has cut. */
  readonly cut: (line: Uint8Array) => void;
}

export interface LineReader {
  /** Throws for a line of more than `most` bytes. */
  push(chunk: Uint8Array): void;
  end(): void;
}

/** Cuts bytes into lines. */
export function lineReader(most: number, takers: LineTakers): LineReader {
  const cutter = new LineCutter(most);
  let several: GrowingBytes | undefined;

  function takeLine(line: Uint8Array): void {
    if (line.includes(OPENING_BRACE)) takers.one(line);
    else if (several === undefined) takers.noise(line);
    if (isAlone(line, OPENING_BRACE)) several = new GrowingBytes();
    several?.add(line);
    if (several !== undefined && isAlone(line, CLOSING_BRACE)) takers.several(several.whole());
    if (isAlone(line, CLOSING_BRACE) || (several?.length ?? 0) > most) several = undefined;
  }

  return {
    push(chunk) {
      for (const line of cutter.push(chunk)) {
        if ('tooLong' in line) throw tooLong(most);
        takeLine(line.bytes);
      }
      if (cutter.isTooLong) throw tooLong(most);
    },
    end() {
      for (const line of cutter.end()) if ('bytes' in line) takers.cut(line.bytes);
    },
  };
}

function isAlone(line: Uint8Array, byte: number): boolean {
  const { length } = line;
  return line[0] === byte && (length === 1 || (length === 2 && line[1] === CARRIAGE_RETURN));
}
