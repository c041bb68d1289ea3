import { LazyAbort } from '../../peer/index.js';
import { ERROR_CODES } from '../../protocol/index.js';
import { type OutgoingQueue, TooSlow } from '../queue/outgoing.js';
import { type Incoming, isEncoded, requestWith, type Unread } from './incoming.js';
import type { Receiving } from './receiving.js';
import { refusal, type Reply } from './reply.js';

export interface WebOptions {
  readonly answer: (incoming: Incoming) => Promise<Reply>;
  readonly receiving: Receiving;
  readonly onError: (error: unknown) => void;
}

/** Serves web-standard requests. Never rejects. */
export function webHandler({
  answer,
  receiving,
  onError,
}: WebOptions): (request: Request) => Promise<Response> {
  return async (request) => {
    const incoming = new WebIncoming(request, receiving);
    try {
      const reply = await answer(incoming);
      if (!('stream' in reply)) incoming.over();
      return responseOf(reply, incoming);
    } catch (error) {
      if (!incoming.gone.aborted) onError(error);
      return responseOf(refusal(500, ERROR_CODES.InternalError, 'Internal error'), incoming);
    }
  };
}

const EMPTY = new Uint8Array();

class WebIncoming implements Incoming {
  readonly method: string;
  readonly path: string;
  readonly gone = new LazyAbort();
  readonly original: Request;
  readonly #receiving: Receiving;
  #body: Promise<Uint8Array | Unread> | undefined;
  /** Keeps the request too, because Node would collect the controller of its signal. */
  readonly #leave = (): void => this.leave();

  constructor(request: Request, receiving: Receiving) {
    this.method = request.method;
    this.path = new URL(request.url).pathname;
    this.original = request;
    this.#receiving = receiving;
    if (request.signal.aborted) this.leave();
    else request.signal.addEventListener('abort', this.#leave);
  }

  header(name: string): string | null {
    return this.original.headers.get(name);
  }

  headerNames(): Iterable<string> {
    return this.original.headers.keys();
  }

  read(maxBytes: number): Promise<Uint8Array | Unread> {
    return (this.#body ??= readBytes(this.original, maxBytes, this.#receiving));
  }

  head(): Request {
    const { url, method, headers, signal } = this.original;
    return new Request(url, { method, headers, signal });
  }

  async request(maxBytes: number): Promise<Request> {
    return requestWith(this.head(), await this.read(maxBytes));
  }

  leave(): void {
    this.over();
    this.gone.abort(this.original.signal.reason);
  }

  /** The host has all of the response: it may abort the signal of a request that was answered. */
  over(): void {
    this.original.signal.removeEventListener('abort', this.#leave);
  }
}

function responseOf(reply: Reply, incoming: WebIncoming): Response {
  const { status, headers } = reply;
  const body = 'stream' in reply ? streamOf(reply.stream, incoming) : reply.body;
  return new Response(body === '' ? null : body, { status, headers });
}

const UTF_8 = new TextEncoder();

/** A stream that takes from the queue when its reader does. */
function streamOf(queue: OutgoingQueue, incoming: WebIncoming): ReadableStream<Uint8Array> {
  let wake = (): void => undefined;
  incoming.gone.addEventListener('abort', () => {
    queue.close();
    wake();
  });
  return new ReadableStream<Uint8Array>(
    {
      start(controller) {
        queue.attach({ wake: () => wake(), cut: () => controller.error(new TooSlow()) });
      },
      async pull(controller) {
        let piece = queue.take();
        while (piece === undefined && !queue.isOver) {
          await new Promise<void>((resolve) => (wake = resolve));
          piece = queue.take();
        }
        if (piece !== undefined) controller.enqueue(UTF_8.encode(piece));
        if (!queue.isOver) return;
        incoming.over();
        controller.close();
      },
      cancel: () => incoming.leave(),
    },
    { highWaterMark: 0 },
  );
}

async function readBytes(
  request: Request,
  maxBytes: number,
  receiving: Receiving,
): Promise<Uint8Array | Unread> {
  if (isEncoded(request.headers.get('content-encoding'))) return 'encoded';
  if (Number(request.headers.get('content-length')) > maxBytes) return 'too large';
  const reader = (request.body as ReadableStream<Uint8Array> | null)?.getReader();
  if (reader === undefined) return EMPTY;
  const cancel = (): void => void reader.cancel().catch(() => undefined);
  let hasRoom = true;
  const body = receiving.open(() => {
    hasRoom = false;
    cancel();
  });
  try {
    for (let size = 0; ;) {
      const { done, value } = await reader.read();
      if (!hasRoom) return 'no room';
      if (done) return body.whole();
      size += value.byteLength;
      if (size > maxBytes) {
        cancel();
        return 'too large';
      }
      body.add(value);
    }
  } finally {
    body.close();
  }
}
