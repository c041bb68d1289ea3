import type { FetchLike } from '@modelcontextprotocol/client';

export interface BoundedFetchOptions {
  /** Bytes of a body, or of one event of a stream, after decompression. Default 10 MiB. */
  readonly maxMessageBytes?: number;
  /** Default: the global one. */
  readonly fetch?: FetchLike;
}

export const DEFAULT_MESSAGE_BYTES = 10 * 1024 * 1024;

/** Bytes of an error response's body that go into the error message. */
const ERROR_BYTES = 16 * 1024;

/**
 * A `fetch` for the SDK's HTTP transport, which buffers messages of any size. A body, or an event of a
 * stream, that is longer than `maxMessageBytes` fails, and the rest of it is not read. Of the body of an
 * error response it reads 16 KiB. Comments replace the `retry` fields of a stream below 100 ms and above a minute, because
 * the transport waits exactly as long before it resumes the stream.
 */
export function boundedFetch(options: BoundedFetchOptions = {}): FetchLike {
  const { maxMessageBytes = DEFAULT_MESSAGE_BYTES, fetch: base = fetch } = options;
  return async (url, init) => {
    const response = await base(url, init).catch((error: unknown) => {
      throw isBadPort(error) ? refusedPort(url) : error;
    });
    if (response.body === null) return response;
    const { status, headers } = response;
    // A constructed Response has none of these.
    if (status > 599) {
      await response.body.cancel();
      throw new TypeError(`The server answered with the unknown HTTP status ${status}`);
    }
    const body = response.body.pipeThrough(boundOf(response, maxMessageBytes));
    const bounded = new Response(body, { status, statusText: phraseOf(response), headers });
    // A constructed Response has no URL.
    return Object.defineProperty(bounded, 'url', { value: response.url });
  };
}

/** The reason phrase. One that is not UTF-8 has characters that a constructed `Response` cannot have. */
function phraseOf({ statusText }: Response): string {
  return /^[\t\x20-\x7e\x80-\xff]*$/.test(statusText) ? statusText : '';
}

/** Browsers and Node.js refuse some ports with this reason alone, before they connect. */
function isBadPort(error: unknown): boolean {
  const cause = error instanceof Error ? error.cause : undefined;
  return cause instanceof Error && cause.message === 'bad port';
}

function refusedPort(url: string | URL): Error {
  const { port } = new URL(url);
  return new TypeError(
    `fetch refuses port ${port}, as browsers do. Let the server listen at another port`,
  );
}

type Bound = TransformStream<Uint8Array, Uint8Array>;

function boundOf({ ok, headers }: Response, max: number): Bound {
  if (!ok) return cutAfter(ERROR_BYTES);
  const type = headers.get('content-type')?.split(';')[0]?.trim().toLowerCase();
  const tooLong = (): Error =>
    new Error(`The server sent a message of more than ${String(max)} bytes (maxMessageBytes)`);
  return type === 'text/event-stream' ? events(max, tooLong) : total(max, tooLong);
}

function cutAfter(max: number): Bound {
  let left = max;
  return new TransformStream({
    transform(chunk, controller) {
      if (left > 0) controller.enqueue(chunk.subarray(0, left));
      left -= chunk.length;
      if (left <= 0) controller.terminate();
    },
  });
}

function total(max: number, tooLong: () => Error): Bound {
  let size = 0;
  return new TransformStream({
    transform(chunk, controller) {
      size += chunk.length;
      if (size <= max) controller.enqueue(chunk);
      else controller.error(tooLong());
    },
  });
}

function events(max: number, tooLong: () => Error): Bound {
  const scan = eventScan();
  /** The beginning of a line that may be a `retry` field. */
  let held: Uint8Array = new Uint8Array();
  return new TransformStream<Uint8Array, Uint8Array>({
    transform(chunk, controller) {
      const bytes = held.length === 0 ? chunk : joined(held, chunk);
      const { largest, end } = scan(bytes);
      if (largest > max) return controller.error(tooLong());
      held = bytes.subarray(end);
      if (end > 0) controller.enqueue(bytes.subarray(0, end));
    },
    flush(controller) {
      if (held.length > 0) controller.enqueue(held);
    },
  });
}

function joined(first: Uint8Array, second: Uint8Array): Uint8Array {
  const both = new Uint8Array(first.length + second.length);
  both.set(first);
  both.set(second, first.length);
  return both;
}

const LF = 10;
const CR = 13;
const COLON = 58;
const LOWER_R = 114;
/** The first byte of a byte order mark. */
const BOM = 0xef;
/** Bytes of a line that a `retry` field can have. The field of a longer one says no time. */
const LONGEST_RETRY = 100;
const RETRY = /^(?:\xef\xbb\xbf)*retry: ?(\d*)/;
/** Milliseconds that a server may ask a client to wait before it resumes a stream. */
const SHORTEST_WAIT = 100;
const LONGEST_WAIT = 60_000;

/** The bytes of the largest event so far, and how many bytes of the chunk may be read now. */
interface Scanned {
  readonly largest: number;
  readonly end: number;
}

/** Takes chunks of a stream, and makes comments of `retry` fields. Comments have no size, because readers drop them. */
function eventScan(): (chunk: Uint8Array) => Scanned {
  let event = 0;
  let line = 0;
  let comment = false;
  let last = 0;
  /** Whether the line may be a `retry` field. */
  let retry = false;
  return (chunk) => {
    let largest = 0;
    for (let at = 0; at < chunk.length; at += 1) {
      const byte = chunk[at] ?? 0;
      const isEnd = byte === LF || byte === CR;
      if (retry && (isEnd || line > LONGEST_RETRY)) {
        retry = false;
        comment = isIgnored(chunk.subarray(at - line, at));
        if (comment) chunk.fill(COLON, at - line, at);
      }
      if (byte === LF && last === CR) {
        // The LF of a CR LF.
      } else if (isEnd) {
        if (line === 0) event = 0;
        else if (!comment) event += line;
        line = 0;
      } else {
        if (line === 0) {
          comment = byte === COLON;
          retry = byte === LOWER_R || byte === BOM;
        }
        line += 1;
        if (event + line > largest) largest = event + line;
      }
      last = byte;
    }
    if (!retry) return { largest, end: chunk.length };
    // The next chunk begins with this line.
    const end = chunk.length - line;
    line = 0;
    last = 0;
    return { largest, end };
  };
}

/** Whether a line is a `retry` field that asks for too short or too long a time. */
function isIgnored(line: Uint8Array): boolean {
  const [whole, digits] = RETRY.exec(String.fromCharCode(...line)) ?? [];
  if (whole === undefined) return false;
  if (line.length > LONGEST_RETRY) return true;
  const wait = Number(digits);
  return whole.length === line.length && (wait < SHORTEST_WAIT || wait > LONGEST_WAIT);
}
