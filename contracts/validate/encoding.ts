import { bytesOf, joined } from './bytes.js';

/** UTF-16 in either order of bytes, by its byte order mark or by the zero beside a first bracket. */
function utf16In([a, b]: Uint8Array): 'utf-16le' | 'utf-16be' | undefined {
  if ((a === 0xff && b === 0xfe) || (a !== 0 && b === 0)) return 'utf-16le';
  return (a === 0xfe && b === 0xff) || (a === 0 && b !== 0 && b !== undefined)
    ? 'utf-16be'
    : undefined;
}

/**
 * The chunks of an input in UTF-8. Shells on Windows write UTF-16; that is converted, and `onUtf16` is called
 * before the first chunk. Characters that UTF-16 cannot have become U+FFFD.
 */
export async function* inUtf8(
  chunks: AsyncIterable<Uint8Array>,
  onUtf16: () => void,
): AsyncGenerator<Uint8Array, void> {
  let decoder: InstanceType<typeof TextDecoder> | undefined;
  let first: Uint8Array | undefined = new Uint8Array();
  for await (const chunk of chunks) {
    let bytes = chunk;
    if (first !== undefined) {
      bytes = first.length === 0 ? chunk : joined([first, chunk]);
      // The first chunk of a pipe may be a single byte.
      first = bytes.length < 2 ? Uint8Array.from(bytes) : undefined;
      if (first !== undefined) continue;
      const encoding = utf16In(bytes);
      decoder = encoding && new TextDecoder(encoding);
      if (encoding) onUtf16();
    }
    yield decoder ? bytesOf(decoder.decode(bytes, { stream: true })) : bytes;
  }
  if (first !== undefined && first.length > 0) yield first;
  if (decoder) yield bytesOf(decoder.decode());
}

const CARRIAGE_RETURN = 0x0d;
const LINE_FEED = 0x0a;

/** The chunks with a line feed for each carriage return that is not before one: the line ends of old programs. */
export async function* withLineFeeds(
  chunks: AsyncIterable<Uint8Array>,
): AsyncGenerator<Uint8Array, void> {
  let wasReturn = false;
  for await (const chunk of chunks) {
    // The return at the end of the last chunk became a line feed.
    const start = wasReturn && chunk[0] === LINE_FEED ? 1 : 0;
    if (chunk.length > 0) wasReturn = chunk.at(-1) === CARRIAGE_RETURN;
    yield fed(chunk.subarray(start));
  }
}

function fed(chunk: Uint8Array): Uint8Array {
  let changed: Uint8Array | undefined;
  for (let i = chunk.indexOf(CARRIAGE_RETURN); i >= 0; i = chunk.indexOf(CARRIAGE_RETURN, i + 1)) {
    if (chunk[i + 1] === LINE_FEED) continue;
    changed ??= Uint8Array.from(chunk);
    changed[i] = LINE_FEED;
  }
  return changed ?? chunk;
}
