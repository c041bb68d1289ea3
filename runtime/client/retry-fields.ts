import { GrowingBytes } from '../transport/reading/growing-bytes.js';

const LF = 10;
const CR = 13;
const COLON = 58;
const LOWER_R = 114;
/** The first byte of a byte order mark. */
const BOM = 0xef;
/** Bytes of a line that a `retry` field can have. The field of a longer one says no time. */
const LONGEST = 100;
const RETRY = /^(?:\xef\xbb\xbf)*retry: ?(\d*)/;
/** Milliseconds that a server may ask a client to wait before it resumes a stream. */
const SHORTEST_WAIT = 100;
const LONGEST_WAIT = 60_000;

/**
 * Makes comments of the `retry` fields of an event stream that ask for less than 100 ms or more than a minute, because the
 * SDK's transport waits exactly as long before it resumes the stream.
 */
export function boundRetries(): TransformStream<Uint8Array, Uint8Array> {
  /** The beginning of a line that may be a `retry` field. */
  let held = new GrowingBytes();
  let isInLine = false;
  return new TransformStream<Uint8Array, Uint8Array>({
    transform(chunk, controller) {
      held.add(chunk);
      const bytes = held.whole();
      const end = hideRetries(bytes, isInLine ? endOfLine(bytes, 0) + 1 : 0);
      if (end > 0) {
        isInLine = !isEnd(bytes[end - 1]);
        controller.enqueue(bytes.subarray(0, end));
      }
      held = new GrowingBytes();
      held.add(bytes.subarray(end));
    },
    flush(controller) {
      if (held.length > 0) controller.enqueue(held.whole());
    },
  });
}

/** Changes the lines from `start` on. Returns how many bytes are decided; after them begins a line that may be a field. */
function hideRetries(bytes: Uint8Array, start: number): number {
  for (let from = start; from < bytes.length; from = endOfLine(bytes, from) + 1) {
    if (bytes[from] !== LOWER_R && bytes[from] !== BOM) continue;
    const most = bytes.subarray(from, from + LONGEST + 1);
    const line = most.subarray(0, endOfLine(most, 0));
    if (line.length <= LONGEST && from + line.length === bytes.length) return from;
    if (isIgnored(line)) line.fill(COLON);
  }
  return bytes.length;
}

function endOfLine(bytes: Uint8Array, from: number): number {
  let at = from;
  while (at < bytes.length && !isEnd(bytes[at])) at += 1;
  return at;
}

function isEnd(byte: number | undefined): boolean {
  return byte === LF || byte === CR;
}

/** Whether the first bytes of a line are a `retry` field that asks for too short or too long a time. */
function isIgnored(line: Uint8Array): boolean {
  const [whole, digits] = RETRY.exec(String.fromCharCode(...line)) ?? [];
  if (whole === undefined) return false;
  if (line.length > LONGEST) return true;
  const wait = Number(digits);
  return whole.length === line.length && (wait < SHORTEST_WAIT || wait > LONGEST_WAIT);
}
