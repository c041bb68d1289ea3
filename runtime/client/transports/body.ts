import { boundsFor } from '../../transport/reading/bounds.js';
import { GrowingBytes } from '../../transport/reading/growing-bytes.js';
import { readJson } from '../../transport/reading/read-json.js';
import { NotMcp } from './errors.js';

/** Bytes of an error's body that an error message quotes. */
const ERROR_BYTES = 16 * 1024;

/** A value with its JSON. */
export interface Value {
  readonly value: unknown;
  readonly text: string;
}

/**
 * The JSON of an answer. Rejects with a `NotMcp` for what is no JSON, and as soon as more than `most` bytes have come. A
 * response with `isWhole` has arrived, and its text is within the bounds of a message.
 */
export async function jsonOf(response: Response, most: number): Promise<Value> {
  if ('isWhole' in response) return parsed(await response.text());
  const body = new GrowingBytes();
  await eachChunk(response, (chunk) => {
    body.add(chunk);
    if (body.length > most) throw tooLong(most);
  });
  const read = readJson(body.whole(), boundsFor(most));
  if (read.code === undefined) return read;
  throw new NotMcp(`The server sent a message that ${read.why}`);
}

function parsed(text: string): Value {
  try {
    return { value: JSON.parse(text) as unknown, text };
  } catch {
    throw new NotMcp('The server sent a message that is not JSON in UTF-8');
  }
}

export const EVENT_STREAM = 'text/event-stream';

export function mediaTypeOf({ headers }: Response): string | undefined {
  return headers.get('content-type')?.split(';')[0]?.trim().toLowerCase();
}

/** @throws {NotMcp} for a success with another content type. */
export async function assertType(response: Response, type: string): Promise<void> {
  if (mediaTypeOf(response) === type) return;
  await discard(response);
  const given = response.headers.get('content-type');
  const what = given === null ? 'no content type' : `the content type ${given}`;
  throw new NotMcp(`The server answered HTTP ${String(response.status)} with ${what}`);
}

/** The beginning of the body of an error. */
export async function startOf(response: Response): Promise<string> {
  if ('isWhole' in response) return response.text();
  const body = new GrowingBytes();
  const add = (chunk: Uint8Array): boolean => {
    body.add(chunk);
    return body.length < ERROR_BYTES;
  };
  await eachChunk(response, add).catch(() => undefined);
  return new TextDecoder().decode(body.whole().subarray(0, ERROR_BYTES));
}

/** Ends the reading of a body that does not matter. */
export async function discard(response: Response): Promise<void> {
  if (!('isWhole' in response)) await response.body?.cancel();
}

/** Reads until `take` returns false, or the signal is aborted. Browsers have no iterators of streams. */
export async function eachChunk(
  { body }: Pick<Response, 'body'>,
  take: (chunk: Uint8Array) => unknown,
  signal?: AbortSignal,
): Promise<void> {
  if (body === null) return;
  const reader = body.getReader() as ReadableStreamDefaultReader<Uint8Array>;
  try {
    for (let goesOn = true; goesOn;) {
      const { done, value } = await reader.read();
      goesOn = !done && take(value) !== false && signal?.aborted !== true;
    }
  } finally {
    // When `take` wanted no more, the server need not send the rest.
    reader.cancel().catch(() => undefined);
  }
}

export function tooLong(most: number): Error {
  return new Error(
    `The server sent a message of more than ${String(most)} bytes (maxMessageBytes)`,
  );
}

export function throwTooLong(most: number): never {
  throw tooLong(most);
}
