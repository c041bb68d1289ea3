import type { FetchLike } from '@modelcontextprotocol/client';
import { boundsFor, Weight } from '../transport/reading/bounds.js';
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
 * stream, that is longer than `maxMessageBytes` fails, and the rest of it is not read. So does one that holds more than
 * messages of that size may: 500 levels, a member of an object for 40 bytes, a value for 8. Of the body of an
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
  if (type !== 'text/event-stream') return body.pipeThrough(limited(oneMessage(type, max)));
  return body.pipeThrough(boundRetries()).pipeThrough(limited(events(max)));
}

/** Takes a chunk and returns why its message is refused, in words that follow "The server sent a message". */
type Refusal = (chunk: Uint8Array) => string | undefined;

function limited(refusal: Refusal): Bound {
  return new TransformStream({
    transform(chunk, controller) {
      const why = refusal(chunk);
      if (why === undefined) controller.enqueue(chunk);
      else controller.error(new Error(`The server sent a message ${why} (maxMessageBytes)`));
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

function oneMessage(type: string | undefined, max: number): Refusal {
  // Nothing else is parsed.
  const weight = type?.includes('json') ? new Weight(boundsFor(max)) : undefined;
  let total = 0;
  return (chunk) => {
    total += chunk.length;
    return total > max ? `of more than ${max} bytes` : that(weight?.add(chunk));
  };
}

function that(excess: string | undefined): string | undefined {
  return excess === undefined ? undefined : `that ${excess}`;
}

const LF = 10;
const CR = 13;
const COLON = 58;

/** Of each event. Comments do not count, because readers drop them. */
function events(max: number): Refusal {
  const weight = new Weight(boundsFor(max));
  let event = 0;
  let line = 0;
  let comment = false;
  let last: number | undefined;
  return (chunk) => {
    let start = 0;
    const add = (end: number): string | undefined =>
      comment ? undefined : that(weight.add(chunk.subarray(start, end)));
    for (let at = 0; at < chunk.length; at += 1) {
      const byte = chunk[at];
      if (byte === LF || byte === CR) {
        // Not the LF of a CR LF.
        if (byte === CR || last !== CR) {
          const why = add(at);
          if (why !== undefined) return why;
          weight.endLine();
          if (line === 0) event = 0;
          else if (!comment) event += line;
          if (line === 0) weight.clear();
          line = 0;
        }
        start = at + 1;
      } else {
        if (line === 0) comment = byte === COLON;
        line += 1;
        if (event + line > max) return `of more than ${max} bytes`;
      }
      last = byte;
    }
    return add(chunk.length);
  };
}
