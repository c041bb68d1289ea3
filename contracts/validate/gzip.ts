import { Readable } from 'node:stream';
import { createGunzip } from 'node:zlib';

/** Unpacked bytes from which on the ratio has a limit. */
const FREE = 256 * 1024 * 1024;
/** Unpacked bytes for one packed byte. Recordings have 5 to 50; gzip allows about 1,000. */
const MOST_RATIO = 200;

/**
 * The chunks of an input, unpacked if they are gzip (RFC 1952). It unpacks what it is asked for, no more, and calls
 * `onProblem` when the rest cannot be read: damage, other bytes after the end, or too high a ratio.
 */
export async function* unpacked(
  chunks: AsyncIterable<Uint8Array>,
  onProblem: (problem: string) => void,
): AsyncGenerator<Uint8Array, void> {
  const input = chunks[Symbol.asyncIterator]();
  const first = await firstBytes(input);
  const rest = chain(first, input);
  if (first[0] === 0x1f && first[1] === 0x8b) yield* unpack(rest, onProblem);
  else yield* rest;
}

async function* unpack(
  chunks: AsyncIterable<Uint8Array>,
  onProblem: (problem: string) => void,
): AsyncGenerator<Uint8Array, void> {
  let packed = 0;
  const counted = async function* (): AsyncGenerator<Uint8Array, void> {
    for await (const chunk of chunks) {
      packed += chunk.length;
      // The caller may use its buffer again before the copy is unpacked.
      yield Uint8Array.from(chunk);
    }
  };
  const gunzip = createGunzip();
  const source = Readable.from(counted(), { highWaterMark: 1 });
  source.on('error', (error) => gunzip.destroy(error)).pipe(gunzip);
  let length = 0;
  try {
    for await (const chunk of gunzip as AsyncIterable<Uint8Array>) {
      length += chunk.length;
      if (length > FREE && length > MOST_RATIO * packed) {
        const size = `${String(MOST_RATIO)} times its size`;
        onProblem(`it unpacks to more than ${size}: unpack it yourself and pipe the text`);
        return;
      }
      yield chunk;
    }
    const extra = packed - gunzip.bytesWritten;
    if (extra > 0) onProblem(`${String(extra)} bytes follow its end`);
  } catch (error) {
    if (!isZlibError(error)) throw error;
    onProblem(error.message);
  } finally {
    source.destroy();
    gunzip.destroy();
  }
}

function isZlibError(error: unknown): error is Error {
  return error instanceof Error && 'code' in error && /^Z_/.test(String(error.code));
}

/** The first two bytes or more, because the first chunk of a pipe may be a single byte. */
async function firstBytes(input: AsyncIterator<Uint8Array, unknown>): Promise<Uint8Array> {
  let bytes: Uint8Array = new Uint8Array();
  while (bytes.length < 2) {
    const next = await input.next();
    if (next.done === true) break;
    bytes = Uint8Array.from(Buffer.concat([bytes, next.value]));
  }
  return bytes;
}

async function* chain(
  first: Uint8Array,
  input: AsyncIterator<Uint8Array, unknown>,
): AsyncGenerator<Uint8Array, void> {
  try {
    if (first.length > 0) yield first;
    for (;;) {
      const next = await input.next();
      if (next.done === true) return;
      yield next.value;
    }
  } finally {
    await input.return?.();
  }
}
