/**
 * HTTP requests and answers as the checks of this room see them, whichever HTTP server they come through. Node's
 * are read and written as they are: making web requests and streams of them takes longer than most answers.
 */

export interface Incoming {
  readonly method: string;
  /** The path of the URL. */
  readonly path: string;
  /** By name in lower case; null where there is none. */
  header(name: string): string | null;
  /** In lower case. */
  headerNames(): Iterable<string>;
  /** The body; undefined if it is larger than allowed. */
  read(maxBytes: number): Promise<Uint8Array | undefined>;
  /** The same request for the SDK, always the same object. Its signal aborts when the client disconnects. */
  request(): Request;
  /** Calls back once when the client disconnects before it has the whole answer. */
  onDisconnect(callback: () => void): void;
  /** How events are written that belong to one answer; undefined where only the SDK's streams are. */
  readonly events?: EventSink;
}

/** A stream of events that is written as they come. */
export interface EventSink {
  /** Sends the head. */
  open(headers: Readonly<Record<string, string>>): void;
  write(frame: string): void;
  end(frame?: string): void;
}

/** An answer whose whole text is known. Names of headers are in lower case. */
export interface Reply {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

export type Answered = Reply | Response;

/** A request of a host that has web requests. */
export function incomingOf(request: Request): Incoming {
  return {
    method: request.method,
    path: new URL(request.url).pathname,
    header: (name) => request.headers.get(name),
    headerNames: () => request.headers.keys(),
    read: (maxBytes) => readBytes(request, maxBytes),
    request: () => request,
    onDisconnect(callback) {
      const { signal } = request;
      if (signal.aborted) callback();
      // The callback keeps the request, because Node would collect the controller of its signal.
      else signal.addEventListener('abort', () => request.signal.aborted && callback());
    },
  };
}

export function responseOf(answered: Answered): Response {
  if (answered instanceof Response) return answered;
  const { status, headers, body } = answered;
  return new Response(body, { status, headers });
}

async function readBytes(request: Request, maxBytes: number): Promise<Uint8Array | undefined> {
  if (Number(request.headers.get('content-length')) > maxBytes) return undefined;
  const chunks: Uint8Array[] = [];
  let size = 0;
  const reader = (request.body as ReadableStream<Uint8Array> | null)?.getReader();
  for (;;) {
    const { done = true, value } = (await reader?.read()) ?? {};
    if (done || value === undefined) break;
    size += value.byteLength;
    if (size > maxBytes) {
      reader?.cancel().catch(() => undefined);
      return undefined;
    }
    chunks.push(value);
  }
  return chunks.length === 1 ? chunks[0] : Buffer.concat(chunks);
}
