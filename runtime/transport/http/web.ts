import { LazyAbort } from '../../peer/index.js';
import { ERROR_CODES } from '../../protocol.js';
import { type OutgoingQueue, TooSlow } from '../queue/outgoing.js';
import { nextTurn } from '../../tasks/index.js';
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
      const answering = answer(incoming);
      nextTurn(watch, incoming);
      const reply = await answering;
      if (!('stream' in reply)) incoming.over();
      return responseOf(reply, incoming);
    } catch (error) {
      incoming.watch();
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
  #headers: ReadonlyMap<string, string> | undefined;
  #body: Promise<Uint8Array | Unread> | undefined;
  #state: 'new' | 'watched' | 'over' = 'new';
  /** Keeps the request too, because Node would collect the controller of its signal. */
  readonly #leave = (): void => this.leave();

  constructor(request: Request, receiving: Receiving) {
    this.method = request.method;
    this.path = pathOf(request.url);
    this.original = request;
    this.#receiving = receiving;
  }

  header(name: string): string | null {
    return this.#all().get(name) ?? null;
  }

  headerNames(): Iterable<string> {
    return this.#all().keys();
  }

  /** Reading one header of a `Headers` takes as long as several of a map. */
  #all(): ReadonlyMap<string, string> {
    return (this.#headers ??= new Map(this.original.headers));
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

  /** Most answers come before: some hosts make a signal when it is first read, which takes longer than an answer. */
  watch(): void {
    if (this.#state !== 'new') return;
    this.#state = 'watched';
    const { signal } = this.original;
    if (signal.aborted) this.leave();
    else signal.addEventListener('abort', this.#leave);
  }

  leave(): void {
    this.over();
    this.gone.abort(this.original.signal.reason);
  }

  /** The host has all of the response: it may abort the signal of a request that was answered. */
  over(): void {
    const isWatched = this.#state === 'watched';
    this.#state = 'over';
    if (isWatched) this.original.signal.removeEventListener('abort', this.#leave);
  }
}

function watch(incoming: WebIncoming): void {
  incoming.watch();
}

/** The last URL: a client sends all its requests to the same one. */
let last = { url: '', path: '' };

function pathOf(url: string): string {
  if (url !== last.url) last = { url, path: new URL(url).pathname };
  return last.path;
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
  const leave = (): void => {
    queue.close();
    wake();
  };
  if (incoming.gone.aborted) leave();
  else incoming.gone.addEventListener('abort', leave);
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

/** Bytes of a body that are not counted: a connection has buffers of that size. */
const SMALL = 2 ** 14;

/** At once, because a reader takes a host longer. */
async function readSmall(request: Request, maxBytes: number): Promise<Uint8Array | Unread> {
  const bytes = new Uint8Array(await request.arrayBuffer());
  return bytes.byteLength > maxBytes ? 'too large' : bytes;
}

async function readBytes(
  request: Request,
  maxBytes: number,
  receiving: Receiving,
): Promise<Uint8Array | Unread> {
  if (isEncoded(request.headers.get('content-encoding'))) return 'encoded';
  const length = Number(request.headers.get('content-length'));
  if (length > maxBytes) return 'too large';
  if (length > 0 && length <= SMALL) return readSmall(request, maxBytes);
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
