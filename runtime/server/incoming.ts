/**
 * HTTP requests and answers as the checks of this room see them, whichever HTTP server they come through. Node's
 * are read and written as they are: making web requests and streams of them takes longer than most answers.
 */

import type { Receiving } from './receiving.js';

export interface Incoming {
  readonly method: string;
  /** The path of the URL. */
  readonly path: string;
  /** By name in lower case; null where there is none. */
  header(name: string): string | null;
  /** In lower case. */
  headerNames(): Iterable<string>;
  /** The body, or why it was not read to its end. */
  read(maxBytes: number): Promise<Uint8Array | Unread>;
  /** The request as the host has it: Node's, or a web request. */
  readonly original: unknown;
  /** Its method, URL and headers as a web request, before the body is read. */
  head(): Request;
  /** The same request for the SDK, always the same object. Its signal aborts when the client disconnects. */
  request(): Request;
  /**
   * Calls back once when the client disconnects before it has the whole answer. Where the host has web requests, before
   * it has the response: hosts may abort the signal of a request that was answered.
   */
  onDisconnect(callback: () => void): void;
  /** Whether the server takes an `EventReply`. */
  readonly takesEvents: boolean;
}

/** Why a body was not read to its end. */
export type Unread = 'encoded' | 'too large' | 'no room';

/** Whether a `Content-Encoding` header says that the body is compressed. */
export function isEncoded(header: string | null = ''): boolean {
  return header !== null && header !== '' && header.toLowerCase() !== 'identity';
}

/** An answer whose whole text is known. Names of headers are in lower case. */
export interface Reply {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** An event stream that carries one answer. Its head is sent soon, because the answer may take long. */
export interface EventReply {
  readonly status: 200;
  readonly headers: Readonly<Record<string, string>>;
  /** Called once. */
  readonly follow: (sink: EventSink) => void;
}

export interface EventSink {
  /** Ends the stream, with the answer if there is one. */
  end(frame?: string): void;
  /** Goes on with the stream of a response. */
  through(response: Response): void;
}

export type Answered = Reply | EventReply | Response;

const EMPTY = new Uint8Array();

export interface WebIncoming extends Incoming {
  /** To be called when the host gets the response. */
  handedOver(): void;
}

/** A request of a host that has web requests. */
export function incomingOf(request: Request, receiving: Receiving): WebIncoming {
  let isOver = false;
  return {
    method: request.method,
    path: new URL(request.url).pathname,
    header: (name) => request.headers.get(name),
    headerNames: () => request.headers.keys(),
    read: (maxBytes) => readBytes(request, maxBytes, receiving),
    original: request,
    head: () => request,
    request: () => request,
    takesEvents: false,
    onDisconnect(callback) {
      const { signal } = request;
      if (signal.aborted) callback();
      // The callback keeps the request, because Node would collect the controller of its signal.
      else signal.addEventListener('abort', () => request.signal.aborted && !isOver && callback());
    },
    handedOver: () => void (isOver = true),
  };
}

export function responseOf(answered: Answered): Response {
  if (answered instanceof Response) return answered;
  if ('follow' in answered) throw new TypeError('Events need a server that takes them');
  const { status, headers, body } = answered;
  return new Response(body, { status, headers });
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
