import { decode, encode, type SourceMapSegment } from '@jridgewell/sourcemap-codec';

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
    mappings: encode(decode(mappings).map((line) => withoutOthers(line, places))),
  });
}

/** `places` has the new number of each source, -1 for those that are left out. */
function withoutOthers(
  line: readonly SourceMapSegment[],
  places: readonly number[],
): SourceMapSegment[] {
  let wasKept = false;
  return line.flatMap(([column, ...place]): SourceMapSegment[] => {
    const [source, row = 0, from = 0] = place;
    const kept = source === undefined ? -1 : (places[source] ?? -1);
    // A position without a source ends that before it.
    const ends = kept < 0 && wasKept;
    wasKept = kept >= 0;
    if (wasKept) return [[column, kept, row, from]];
    return ends ? [[column]] : [];
  });
}
