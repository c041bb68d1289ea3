import type { ServerResponse } from 'node:http';

import type { Answered, EventReply } from './incoming.js';
import type { LazyAbort } from './lazy-abort.js';
import { type Backlog, COMMENT, every, isEventStream, SLICE } from './sdk/index.js';

export interface WriteOptions {
  readonly backlog: Backlog;
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
  const { backlog } = options;
  if ('follow' in answered) return writeEvents(answered, outgoing, disconnected, options);
  if (!(answered instanceof Response)) {
    const { status, headers, body } = answered;
    const length = Buffer.byteLength(body);
    outgoing.writeHead(status, { ...headers, 'content-length': length });
    if (length <= SLICE) outgoing.end(body);
    else await writeSlices(slicesOf(Buffer.from(body), outgoing, backlog), outgoing, disconnected);
    return;
  }
  const headers = Object.fromEntries(answered.headers);
  const bytes = isEventStream(answered) ? undefined : Buffer.from(await answered.arrayBuffer());
  const hasLength = bytes !== undefined && answered.status !== 204;
  outgoing.writeHead(answered.status, {
    ...headers,
    ...(hasLength && { 'content-length': bytes.byteLength }),
  });
  if (bytes !== undefined && bytes.byteLength <= SLICE) {
    outgoing.end(bytes);
    return;
  }
  outgoing.flushHeaders();
  const slices = bytes === undefined ? eventsOf(answered) : slicesOf(bytes, outgoing, backlog);
  await writeSlices(slices, outgoing, disconnected);
}

/** Resolves when the stream has ended. */
async function writeEvents(
  { status, headers, follow }: EventReply,
  outgoing: ServerResponse,
  disconnected: LazyAbort,
  { backlog, keepAliveMs }: WriteOptions,
): Promise<void> {
  outgoing.writeHead(status, headers);
  const opening = openLater(outgoing, keepAliveMs);
  const rest = await new Promise<string | Response | undefined>((resolve) => {
    follow({ end: resolve, through: resolve });
    outgoing.on('close', resolve);
  });
  opening.stop();
  if (rest === undefined || disconnected.aborted) outgoing.end();
  else if (rest instanceof Response) {
    outgoing.flushHeaders();
    if (isEventStream(rest)) await writeSlices(eventsOf(rest), outgoing, disconnected);
    else outgoing.end();
  } else if (rest.length <= SLICE / 3) outgoing.end(rest);
  else await writeSlices(slicesOf(Buffer.from(rest), outgoing, backlog), outgoing, disconnected);
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
  slices: AsyncIterable<Uint8Array> | Iterable<Uint8Array>,
  outgoing: ServerResponse,
  disconnected: LazyAbort,
): Promise<void> {
  for await (const slice of slices) {
    if (disconnected.aborted) return;
    if (!outgoing.write(slice)) await drained(outgoing, disconnected.signal);
  }
  outgoing.end();
}

function eventsOf(response: Response): AsyncIterable<Uint8Array> {
  return response.body as unknown as AsyncIterable<Uint8Array>;
}

/** The unread bytes of an answer count as waiting, as those of a stream do. */
function* slicesOf(bytes: Buffer, outgoing: ServerResponse, backlog: Backlog): Generator<Buffer> {
  const account = backlog.open(() => outgoing.destroy());
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
