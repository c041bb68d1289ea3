import type { IncomingMessage } from 'node:http';

import { isEncoded, type Unread } from '../http/incoming.js';
import type { PartialBody, Receiving } from '../http/receiving.js';

// Pure, so that bundles for other places drop it: they have no `Buffer`.
const EMPTY = /* @__PURE__ */ Buffer.alloc(0);

/**
 * The body of a request, which is read when it is needed: callers who are refused for their head or their token send
 * bodies that cost no memory. `parsed` is the value that a framework has read. `refuse` is told why a body is not read to
 * its end. Does not wait where nothing has to come.
 */
export function bodyOf(
  incoming: IncomingMessage,
  parsed: unknown,
  maxBytes: number,
  receiving: Receiving,
  refuse: (reason: Unread) => Unread,
): Promise<Uint8Array | Unread> | Uint8Array | Unread {
  if (incoming.method === 'GET' || incoming.method === 'HEAD') return EMPTY;
  if (incoming.readableEnded || parsed !== undefined) {
    return encoded(parsed, maxBytes) ?? refuse('too large');
  }
  // A framework that has parsed the body has decoded it.
  if (isEncoded(incoming.headers['content-encoding'])) return refuse('encoded');
  const length = Number(incoming.headers['content-length']);
  return length > maxBytes
    ? refuse('too large')
    : received(incoming, length, maxBytes, receiving, refuse);
}

/** `length` is NaN where the head does not say it. Rejects when the client disconnects before the end. */
function received(
  incoming: IncomingMessage,
  length: number,
  maxBytes: number,
  receiving: Receiving,
  refuse: (reason: Unread) => Unread,
): Promise<Uint8Array | Unread> {
  return new Promise((resolve, reject) => {
    let whole: Buffer | undefined;
    let partial: PartialBody | undefined;
    let size = 0;
    function stop(reason: Unread): void {
      partial?.close();
      resolve(refuse(reason));
      // Not destroyed, because the refusal goes out on the same connection, and closes it.
      incoming.off('data', take).pause();
    }
    function take(chunk: Buffer): void {
      size += chunk.byteLength;
      if (size > maxBytes) stop('too large');
      // Nearly all bodies come in one chunk, which is not counted.
      else if (chunk.byteLength === length) whole = chunk;
      else (partial ??= receiving.open(() => stop('no room'))).add(chunk);
    }
    incoming.on('data', take);
    let ended = false;
    incoming.on('end', () => {
      ended = true;
      resolve(whole ?? partial?.whole() ?? EMPTY);
    });
    incoming.on('error', reject);
    // Every request closes. An error with its stack for each would take a twentieth of the time of an answer.
    const gone = (): void => {
      if (ended) return;
      partial?.close();
      reject(new Error('The client disconnected'));
    };
    if (incoming.destroyed) gone();
    incoming.on('close', gone);
  });
}

/** Undefined where it is too large. */
function encoded(parsed: unknown, maxBytes: number): Buffer | undefined {
  const asRead = typeof parsed === 'string' || parsed instanceof Uint8Array;
  const bytes = Buffer.from(asRead ? parsed : (JSON.stringify(parsed) ?? ''));
  return bytes.byteLength > maxBytes ? undefined : bytes;
}
