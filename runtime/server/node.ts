import type { IncomingMessage, Server, ServerResponse } from 'node:http';

import { onClose } from './departure.js';
import { LazyAbort } from './lazy-abort.js';
import { INTERNAL_ERROR } from './errors.js';
import { refuseMalformedHost } from './hosts.js';
import { type Answered, type Incoming, isEncoded, type Unread } from './incoming.js';
import { write, type WriteOptions } from './node-write.js';
import type { PartialBody, Receiving } from './receiving.js';
import { BAD_REQUEST, methodNotAllowed, HTTP_METHODS, refusal } from './refusals.js';
import { TooSlow } from './sdk/index.js';

export interface NodeOptions extends WriteOptions, BodyOptions {
  readonly serve: (incoming: Incoming) => Promise<Answered>;
  /** Records a refusal that `serve` does not see, because the request cannot become a web request. */
  readonly refused: (response: Response) => Response;
  /** Whether the web request is needed before it is known whether the caller may send a body. */
  readonly readsFirst: boolean;
  readonly onError: (error: unknown) => void;
}

interface BodyOptions {
  readonly maxBodyBytes: number;
  readonly receiving: Receiving;
}

const EMPTY = Buffer.alloc(0);

/** Headers whose second value would be ignored, or joined to the first: senders and readers differ on which. */
const ONCE = /^(?:host|origin|authorization|content-type|content-length|last-event-id|mcp-[^:]*)$/i;

/**
 * Names and values at which Node begins to drop headers, unless `maxHeadersCount` is set. A second header of a name could
 * be among those, which a proxy in front of this server reads.
 */
const MOST_RAW_HEADERS = 2_000;

/**
 * Serves Node's requests, which become web requests only for the SDK. The SDK has an adapter too, but it answers
 * 500 to requests that cannot become one (TRACE, a malformed host), and replaces bytes that are not UTF-8.
 */
export function nodeListener(options: NodeOptions) {
  const { serve, refused, readsFirst, onError } = options;

  async function answerTo(
    incoming: IncomingMessage,
    outgoing: ServerResponse,
    parsed: unknown,
    disconnected: LazyAbort,
  ): Promise<Answered> {
    const problem = problemOf(incoming);
    if (problem !== undefined) return refused(problem);
    const body = new Body(incoming, parsed, options);
    if (readsFirst) await body.read();
    const answered = await serve(incomingFrom(incoming, body, disconnected));
    // The rest of the body is not read.
    if (body.isUnread) outgoing.shouldKeepAlive = false;
    return answered;
  }

  return async (
    incoming: IncomingMessage,
    outgoing: ServerResponse,
    parsed?: unknown,
  ): Promise<void> => {
    const disconnected = new LazyAbort();
    // Not `writableFinished`, which is true of answers that Node dropped because the client had ended the connection.
    let isSent = false;
    outgoing.on('finish', () => (isSent = true));
    onClose(outgoing, () => {
      if (!isSent) disconnected.abort(undefined);
    });
    try {
      const answered = await answerTo(incoming, outgoing, parsed, disconnected).catch(
        (error: unknown) => {
          if (!disconnected.aborted) onError(error);
          return refusal(500, INTERNAL_ERROR, 'Internal error');
        },
      );
      await write(answered, outgoing, disconnected, options);
    } catch (error) {
      // The stream was ended because its reader is too slow or has disconnected.
      outgoing.destroy();
      if (!disconnected.aborted && !(error instanceof TooSlow)) onError(error);
    }
  };
}

/** Node closes the socket of a CONNECT request without an answer, unless it is answered here. */
export function refuseTunnels(http: Server, refused: NodeOptions['refused']): void {
  http.on('connect', (_request, socket) => {
    const { status } = refused(methodNotAllowed());
    const lines = [
      `HTTP/1.1 ${status} Method Not Allowed`,
      `Allow: ${HTTP_METHODS.join(', ')}`,
      'Content-Length: 0',
      'Connection: close',
    ];
    socket.on('error', () => undefined);
    socket.end(`${lines.join('\r\n')}\r\n\r\n`);
  });
}

/** The refusal of a request that cannot, or should not, become a web request. */
function problemOf(incoming: IncomingMessage): Response | undefined {
  const { method = '', headers, rawHeaders } = incoming;
  const url = targetOf(incoming);
  if (/^(?:TRACE|TRACK|CONNECT)$/i.test(method)) {
    return methodNotAllowed();
  }
  if (rawHeaders.length >= MOST_RAW_HEADERS) {
    return refusal(431, BAD_REQUEST, 'The request has 1,000 headers or more');
  }
  // Node keeps one header of a name: where none is missing, no name came twice.
  const twice =
    Object.keys(headers).length * 2 < rawHeaders.length ? nameTwice(rawHeaders) : undefined;
  if (twice !== undefined)
    return refusal(400, BAD_REQUEST, `There is more than one ${twice} header`);
  const { host = '' } = headers;
  const malformed = refuseMalformedHost(host);
  if (malformed !== undefined) return malformed;
  // In the absolute form the target names the host as well; in the others it is a path.
  const target = /^https?:\/\/([^/?#]*)/i.exec(url);
  if (target !== null && target[1]?.toLowerCase() !== host.toLowerCase()) {
    return refusal(400, BAD_REQUEST, 'The request target and the Host header disagree');
  }
  if (!isUrl(url, host)) return refusal(400, BAD_REQUEST, 'The URL is malformed');
  return undefined;
}

/** A header that must not come twice, and did. */
function nameTwice(rawHeaders: readonly string[]): string | undefined {
  const names = rawHeaders.filter((_, index) => index % 2 === 0).map((name) => name.toLowerCase());
  return names.find((name, index) => ONCE.test(name) && names.indexOf(name) !== index);
}

/** A path that is the same in every URL. */
const SIMPLE_PATH = /^(?:\/[\w-]+)+$/;
const MOST_HOSTS = 1_000;
/** Hosts that make a URL with a simple path. */
const goodHosts = new Set<string>();

function isUrl(target: string, host: string): boolean {
  if (!SIMPLE_PATH.test(target)) return URL.canParse(urlOf(target, host));
  if (goodHosts.has(host)) return true;
  if (!URL.canParse(urlOf(target, host))) return false;
  if (goodHosts.size >= MOST_HOSTS) goodHosts.clear();
  goodHosts.add(host);
  return true;
}

/** Express takes the path under which it mounts a handler off `url`. */
function targetOf(incoming: IncomingMessage & { readonly originalUrl?: string }): string {
  return incoming.originalUrl ?? incoming.url ?? '';
}

function urlOf(target: string, host: string): string {
  if (/^https?:\/\//i.test(target)) return target;
  return target.startsWith('/') ? `http://${host || 'localhost'}${target}` : 'invalid';
}

/**
 * The body of a request, which is read when it is needed: callers who are refused for their head or their token send
 * bodies that cost no memory.
 */
class Body {
  /** What was read. */
  bytes: Uint8Array = EMPTY;
  isUnread = false;
  readonly #incoming: IncomingMessage;
  readonly #parsed: unknown;
  readonly #options: BodyOptions;
  #reading: Promise<Uint8Array | Unread> | undefined;

  /** `parsed` is the value that a framework has read. */
  constructor(incoming: IncomingMessage, parsed: unknown, options: BodyOptions) {
    this.#incoming = incoming;
    this.#parsed = parsed;
    this.#options = options;
  }

  /** All of it, or why it was not read to its end. */
  read(): Promise<Uint8Array | Unread> {
    return (this.#reading ??= this.#read());
  }

  async #read(): Promise<Uint8Array | Unread> {
    const bytes = await bodyOf(this.#incoming, this.#parsed, this.#options);
    if (typeof bytes === 'string') this.isUnread = true;
    else this.bytes = bytes;
    return bytes;
  }
}

/** Without waiting where nothing has to come. */
function bodyOf(
  incoming: IncomingMessage,
  parsed: unknown,
  options: BodyOptions,
): Promise<Uint8Array | Unread> | Uint8Array | Unread {
  if (incoming.method === 'GET' || incoming.method === 'HEAD') return EMPTY;
  if (incoming.readableEnded || parsed !== undefined) return encoded(parsed, options.maxBodyBytes);
  // A framework that has parsed the body has decoded it.
  if (isEncoded(incoming.headers['content-encoding'])) return 'encoded';
  const length = Number(incoming.headers['content-length']);
  return length > options.maxBodyBytes ? 'too large' : received(incoming, length, options);
}

/** `length` is NaN where the head does not say it. Rejects when the client disconnects before the end. */
function received(
  incoming: IncomingMessage,
  length: number,
  { maxBodyBytes, receiving }: BodyOptions,
): Promise<Uint8Array | Unread> {
  return new Promise((resolve, reject) => {
    let whole: Buffer | undefined;
    let partial: PartialBody | undefined;
    let size = 0;
    function stop(reason: Unread): void {
      partial?.close();
      resolve(reason);
      // Not destroyed, because the refusal goes out on the same connection, and closes it.
      incoming.off('data', take).pause();
    }
    function take(chunk: Buffer): void {
      size += chunk.byteLength;
      if (size > maxBodyBytes) stop('too large');
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

function incomingFrom(incoming: IncomingMessage, body: Body, disconnected: LazyAbort): Incoming {
  const { method = 'GET', headers } = incoming;
  const target = targetOf(incoming);
  let request: Request | undefined;
  return {
    method,
    path: SIMPLE_PATH.test(target) ? target : new URL(urlOf(target, headers.host ?? '')).pathname,
    header(name) {
      const value = headers[name];
      return value === undefined ? null : Array.isArray(value) ? value.join(', ') : value;
    },
    headerNames: () => Object.keys(headers),
    read: () => body.read(),
    original: incoming,
    head: () => requestOf(incoming, EMPTY, disconnected.signal),
    request: () => (request ??= requestOf(incoming, body.bytes, disconnected.signal)),
    takesEvents: true,
    onDisconnect: (callback) => disconnected.onAbort(callback),
  };
}

function encoded(parsed: unknown, maxBytes: number): Buffer | Unread {
  const asRead = typeof parsed === 'string' || parsed instanceof Uint8Array;
  const bytes = Buffer.from(asRead ? parsed : (JSON.stringify(parsed) ?? ''));
  return bytes.byteLength > maxBytes ? 'too large' : bytes;
}

function requestOf(incoming: IncomingMessage, body: Uint8Array, signal: AbortSignal): Request {
  const { method = 'GET' } = incoming;
  const url = targetOf(incoming);
  const headers = new Headers();
  for (const [name, value = ''] of Object.entries(incoming.headers)) {
    for (const each of [value].flat()) headers.append(name, each);
  }
  return new Request(urlOf(url, incoming.headers.host ?? ''), {
    method,
    headers,
    signal,
    ...(body.byteLength > 0 && { body }),
  });
}
