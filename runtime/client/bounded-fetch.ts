import type { FetchLike } from '@modelcontextprotocol/client';
import { boundRetries } from './retry-fields.js';
import { unknownStatus } from './unknown-status.js';

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
    const { status, headers, body } = response;
    if (body === null) return response;
    const unknown = unknownStatus(status);
    if (unknown) {
      await body.cancel();
      throw unknown;
    }
    const parts = { status, statusText: phraseOf(response), headers };
    const bounded = new Response(boundedBody(body, response, maxMessageBytes), parts);
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

type Body = ReadableStream<Uint8Array>;
type Bound = TransformStream<Uint8Array, Uint8Array>;

function boundedBody(body: Body, { ok, headers }: Response, max: number): Body {
  if (!ok) return body.pipeThrough(cutAfter(ERROR_BYTES));
  const type = headers.get('content-type')?.split(';')[0]?.trim().toLowerCase();
  if (type !== 'text/event-stream') return body.pipeThrough(limited(totalSize(), max));
  return body.pipeThrough(boundRetries()).pipeThrough(limited(eventSize(), max));
}

function limited(size: Size, max: number): Bound {
  return new TransformStream({
    transform(chunk, controller) {
      if (size(chunk) <= max) return controller.enqueue(chunk);
      const limit = `${String(max)} bytes (maxMessageBytes)`;
      controller.error(new Error(`The server sent a message of more than ${limit}`));
    },
  });
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

/** Takes a chunk and returns the bytes of the current message so far. */
type Size = (chunk: Uint8Array) => number;

function totalSize(): Size {
  let total = 0;
  return (chunk) => (total += chunk.length);
}

const LF = 10;
const CR = 13;
const COLON = 58;

/** The size of the largest event in the chunk so far. Comments do not count, because readers drop them. */
function eventSize(): Size {
  let event = 0;
  let line = 0;
  let comment = false;
  let last = 0;
  return (chunk) => {
    let max = 0;
    for (const byte of chunk) {
      if (byte === LF && last === CR) {
        // The LF of a CR LF.
      } else if (byte === LF || byte === CR) {
        if (line === 0) event = 0;
        else if (!comment) event += line;
        line = 0;
      } else {
        if (line === 0) comment = byte === COLON;
        line += 1;
        if (event + line > max) max = event + line;
      }
      last = byte;
    }
    return max;
  };
}
