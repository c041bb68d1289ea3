import type { ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

import { merged } from '../tasks/index.js';
import { onClose } from './departure.js';
import type { Answered, EventReply } from './incoming.js';
import type { LazyAbort } from './lazy-abort.js';
import { type Backlog, COMMENT, every, isEventStream, SLICE, TooSlow } from './sdk/index.js';

export interface WriteOptions {
  readonly backlog: Backlog;
  /** Called when an answer ends because its reader is too slow. */
  readonly onTooSlow: () => void;
  /** Milliseconds between comments on a stream on which nothing else is sent. */
  readonly keepAliveMs: number;
}

/** Writes an answer to Node's response. Resolves when it is written, or the client has disconnected. */
export async function write(
  answered: Answered,
  outgoing: ServerResponse,
  disconnected: LazyAbort,
  options: WriteOptions,
): Promise<void> {
  if ('follow' in answered) return writeEvents(answered, outgoing, disconnected, options);
  if (!(answered instanceof Response)) {
    const { status, headers, body } = answered;
    const length = Buffer.byteLength(body);
    outgoing.writeHead(status, merged(headers, { 'content-length': length }));
    if (length <= SLICE) outgoing.end(body);
    else await writeSlices(slicesOf(Buffer.from(body), outgoing, options), outgoing, disconnected);
    return;
  }
  const headers = Object.fromEntries(answered.headers);
  if (isEventStream(answered)) {
    outgoing.writeHead(answered.status, headers).flushHeaders();
    return writeStream(answered, outgoing, disconnected);
  }
  const body = await answered.text();
  const length = Buffer.byteLength(body);
  const hasLength = answered.status !== 204;
  outgoing.writeHead(
    answered.status,
    hasLength ? merged(headers, { 'content-length': length }) : headers,
  );
  if (length <= SLICE) outgoing.end(body);
  else await writeSlices(slicesOf(Buffer.from(body), outgoing, options), outgoing, disconnected);
}

/** Resolves when the stream has ended. */
async function writeEvents(
  { status, headers, follow }: EventReply,
  outgoing: ServerResponse,
  disconnected: LazyAbort,
  options: WriteOptions,
): Promise<void> {
  if (disconnected.aborted) return;
  outgoing.writeHead(status, headers);
  const opening = openLater(outgoing, options.keepAliveMs);
  const rest = await new Promise<string | Response | undefined>((resolve) => {
    follow({ end: resolve, through: resolve });
    onClose(outgoing, () => resolve(undefined));
  });
  opening.stop();
  if (rest === undefined || disconnected.aborted) outgoing.end();
  else if (rest instanceof Response) {
    outgoing.flushHeaders();
    if (isEventStream(rest)) await writeStream(rest, outgoing, disconnected);
    else outgoing.end();
  } else if (rest.length <= SLICE / 3) outgoing.end(rest);
  else await writeSlices(slicesOf(Buffer.from(rest), outgoing, options), outgoing, disconnected);
}

/** Sends the head unless the answer comes at once, with which it makes one packet. Then keeps the stream alive. */
function openLater(outgoing: ServerResponse, keepAliveMs: number): { readonly stop: () => void } {
  let timer: NodeJS.Timeout | undefined;
  let open = true;
  setImmediate(() =>
    setImmediate(() => {
      if (!open) return;
      outgoing.flushHeaders();
      timer = every(keepAliveMs, () => {
        if (outgoing.writableLength === 0) outgoing.write(COMMENT);
      });
    }),
  );
  return {
    stop() {
      open = false;
      clearInterval(timer);
    },
  };
}

async function writeSlices(
  slices: Iterable<Uint8Array>,
  outgoing: ServerResponse,
  disconnected: LazyAbort,
): Promise<void> {
  // With bytes as the first write, Node sends the head before the `100 Continue` of a request that follows another.
  outgoing.flushHeaders();
  for (const slice of slices) {
    if (disconnected.aborted) return;
    if (!outgoing.write(slice)) await drained(outgoing, disconnected.signal);
  }
  outgoing.end();
}

const sharing = new WeakSet<Socket>();

/** What is written to a connection in one turn of the event loop leaves in one write. */
function shareTurn(socket: Socket | null): void {
  if (socket === null || sharing.has(socket)) return;
  sharing.add(socket);
  socket.cork();
  setImmediate(() => {
    sharing.delete(socket);
    socket.uncork();
  });
}

/** Writes a stream to its end. */
async function writeStream(
  response: Response,
  outgoing: ServerResponse,
  disconnected: LazyAbort,
): Promise<void> {
  const reader = (response.body as ReadableStream<Uint8Array>).getReader();
  // A connection that is not read does not drain, and is closed all the same.
  reader.closed.catch((error: unknown) => error instanceof TooSlow && outgoing.destroy());
  for (;;) {
    const { done, value } = await reader.read();
    if (done) break;
    if (disconnected.aborted) return reader.cancel();
    shareTurn(outgoing.socket);
    if (!outgoing.write(value)) await drained(outgoing, disconnected.signal);
  }
  outgoing.end();
}

/** The unread bytes of an answer count as waiting, as those of a stream do. */
function* slicesOf(
  bytes: Buffer,
  outgoing: ServerResponse,
  { backlog, onTooSlow }: WriteOptions,
): Generator<Buffer> {
  const account = backlog.open(() => {
    onTooSlow();
    outgoing.destroy();
  });
  account.added(bytes.byteLength);
  try {
    for (let at = 0; at < bytes.byteLength; at += SLICE) {
      yield bytes.subarray(at, at + SLICE);
      account.taken(SLICE);
    }
  } finally {
    account.close();
  }
}

function drained(outgoing: ServerResponse, disconnected: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const done = (): void => {
      outgoing.off('drain', done);
      disconnected.removeEventListener('abort', done);
      resolve();
    };
    outgoing.once('drain', done);
    disconnected.addEventListener('abort', done, { once: true });
    if (disconnected.aborted) done();
  });
}
