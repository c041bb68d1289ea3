import type { LazyAbort } from '../../peer/index.js';

/**
 * An HTTP request, whichever server it came through. Node's are read as they are: making web requests of them takes
 * longer than most answers.
 */
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
  /**
   * Aborted when the client disconnects before it has the whole answer. Where the host has web requests, before it has
   * the response. The transport takes its callback; others listen to it.
   */
  readonly gone: LazyAbort;
  /** Looks at once whether the client has disconnected. Without it, `gone` may be aborted a turn later. */
  watch?(): void;
  /** The request as the host has it: Node's, or a web request. */
  readonly original: unknown;
  /** Its method, URL and headers as a web request, before the body is read. */
  head(): Request;
  /** The whole request. Its body is read first; it has none where that is refused. */
  request(maxBytes: number): Promise<Request>;
}

/** Why a body was not read to its end. */
export type Unread = 'encoded' | 'too large' | 'no room';

/** Whether a `Content-Encoding` header says that the body is compressed. */
export function isEncoded(header: string | null): boolean {
  return header !== null && header !== '' && header.toLowerCase() !== 'identity';
}

/** The whole request, of its head and its body. */
export function requestWith(head: Request, body: Uint8Array | Unread): Request {
  if (typeof body === 'string' || body.byteLength === 0) return head;
  const { url, method, headers, signal } = head;
  return new Request(url, { method, headers, signal, body: body as Uint8Array<ArrayBuffer> });
}
