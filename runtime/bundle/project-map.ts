/** A source map, as far as it is read here. */
interface SourceMap {
  readonly sources: readonly string[];
  readonly mappings: string;
}

/**
 * The map of a bundle with the positions of some sources only. Node.js reads the whole map at the start, and the packages in
 * a bundle have most of the positions.
 *
 * @param text The map that esbuild wrote, with positions in the order of the bundle's lines.
 */
export function mapOf(text: string, isKept: (source: string) => boolean): string {
  const { sources, mappings } = JSON.parse(text) as SourceMap;
  const kept = sources.filter(isKept);
  const places = sources.map((source) => kept.indexOf(source));
  return JSON.stringify({
    version: 3,
    sources: kept,
    names: [],
    mappings: withoutOthers(mappings, places),
  });
}

/** Fields of a segment: column, source, line, column in the source. All but the first go on from line to line. */
type Segment = [column: number, source: number, line: number, from: number];

/** `places` has the new number of each source, -1 for those that are left out. */
function withoutOthers(mappings: string, places: readonly number[]): string {
  const read: Segment = [0, 0, 0, 0];
  const written: Segment = [0, 0, 0, 0];
  const lines = mappings.split(';').map((line) => {
    [read[0], written[0]] = [0, 0];
    let wasKept = false;
    const segments: string[] = [];
    for (const segment of line === '' ? [] : line.split(',')) {
      decoded(segment).forEach((delta, field) => (read[field as 0] += delta));
      const source = places[read[1]] ?? -1;
      const isKept = source >= 0;
      // A position without a source ends that before it.
      if (isKept || wasKept) segments.push(encoded([read[0], source, read[2], read[3]], written));
      wasKept = isKept;
    }
    return segments.join(',');
  });
  return lines.join(';');
}

function encoded(segment: Segment, written: Segment): string {
  const fields = segment[1] < 0 ? segment.slice(0, 1) : segment;
  return fields
    .map((value, field) => {
      const delta = value - (written[field] ?? 0);
      written[field] = value;
      return digits(delta);
    })
    .join('');
}

const DIGITS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/';
/** A digit has five bits of the number, and one that says whether more follow. */
const BITS = 5;
const MORE = 1 << BITS;

/** The first four numbers of a segment; the fifth would be a name. */
function decoded(segment: string): number[] {
  const numbers: number[] = [];
  let [value, shift] = [0, 0];
  for (const digit of segment) {
    const bits = DIGITS.indexOf(digit);
    value += (bits & (MORE - 1)) << shift;
    shift += BITS;
    if (bits & MORE) continue;
    numbers.push(value & 1 ? -(value >>> 1) : value >>> 1);
    [value, shift] = [0, 0];
  }
  return numbers.slice(0, 4);
}

function digits(number: number): string {
  let rest = number < 0 ? (-number << 1) | 1 : number << 1;
  let text = '';
  do {
    const bits = rest & (MORE - 1);
    rest >>>= BITS;
    text += DIGITS[rest > 0 ? bits | MORE : bits] ?? '';
  } while (rest > 0);
  return text;
}
