import type { IncomingMessage } from 'node:http';

import type { LazyAbort } from '../../peer/index.js';
import { type Incoming, isEncoded, requestWith, type Unread } from '../http/incoming.js';
import type { PartialBody, Receiving } from '../http/receiving.js';
import {
  BAD_REQUEST,
  methodNotAllowed,
  refusal,
  refuseMalformedHost,
  type TextReply,
} from '../http/reply.js';

/** A path that is the same in every URL. */
const SIMPLE_PATH = /^(?:\/[\w-]+)+$/;
const MOST_HOSTS = 1_000;
/** Hosts that make a URL with a simple path. */
const goodHosts = new Set<string>();

/** Express takes the path under which it mounts a handler off `url`. */
function targetOf(incoming: IncomingMessage & { readonly originalUrl?: string }): string {
  return incoming.originalUrl ?? incoming.url ?? '';
}

function isUrl(target: string, host: string): boolean {
  if (!SIMPLE_PATH.test(target)) return URL.canParse(urlOf(target, host));
  if (goodHosts.has(host)) return true;
  if (!URL.canParse(urlOf(target, host))) return false;
  if (goodHosts.size >= MOST_HOSTS) goodHosts.clear();
  goodHosts.add(host);
  return true;
}

function urlOf(target: string, host: string): string {
  if (/^https?:\/\//i.test(target)) return target;
  return target.startsWith('/') ? `http://${host || 'localhost'}${target}` : 'invalid';
}

function pathOf(target: string, host: string): string {
  return SIMPLE_PATH.test(target) ? target : new URL(urlOf(target, host)).pathname;
}

/** A request of Node's HTTP server. */
export class NodeIncoming implements Incoming {
  readonly method: string;
  readonly path: string;
  readonly gone: LazyAbort;
  readonly original: IncomingMessage;
  /** Whether the rest of the body is not read, so that the connection cannot be used again. */
  isUnread = false;
  readonly #parsed: unknown;
  readonly #receiving: Receiving;
  #body: Promise<Uint8Array | Unread> | undefined;

  /** `parsed` is the value of a body that a framework has read. */
  constructor(original: IncomingMessage, parsed: unknown, gone: LazyAbort, receiving: Receiving) {
    this.original = original;
    this.method = original.method ?? 'GET';
    this.path = pathOf(targetOf(original), original.headers.host ?? '');
    this.gone = gone;
    this.#parsed = parsed;
    this.#receiving = receiving;
  }

  header(name: string): string | null {
    const value = this.original.headers[name];
    return value === undefined ? null : typeof value === 'string' ? value : value.join(', ');
  }

  headerNames(): Iterable<string> {
    return Object.keys(this.original.headers);
  }

  read(maxBytes: number): Promise<Uint8Array | Unread> {
    return (this.#body ??= Promise.resolve(
      bodyOf(this.original, this.#parsed, maxBytes, this.#receiving, (reason) => {
        this.isUnread = true;
        return reason;
      }),
    ));
  }

  head(): Request {
    const { method = 'GET', headers: given } = this.original;
    const headers = new Headers();
    for (const [name, value = ''] of Object.entries(given)) {
      for (const each of [value].flat()) headers.append(name, each);
    }
    const url = urlOf(targetOf(this.original), given.host ?? '');
    return new Request(url, { method, headers, signal: this.gone.signal });
  }

  async request(maxBytes: number): Promise<Request> {
    return requestWith(this.head(), await this.read(maxBytes));
  }
}

// Pure, so that bundles for other places drop it: they have no `Buffer`.
const EMPTY = /* @__PURE__ */ Buffer.alloc(0);

/**
 * The body of a request, which is read when it is needed: callers who are refused for their head or their token send
 * bodies that cost no memory. `parsed` is the value that a framework has read. `refuse` is told why a body is not read to
 * its end. Does not wait where nothing has to come.
 */
function bodyOf(
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
  const encoding = incoming.headers['content-encoding'];
  if (encoding !== undefined && isEncoded(encoding)) return refuse('encoded');
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
  const bytes = Buffer.from(asRead ? parsed : jsonOf(parsed));
  return bytes.byteLength > maxBytes ? undefined : bytes;
}

/** The JSON text of a parsed value. A number beyond all that JavaScript has does not become null. */
function jsonOf(parsed: unknown): string {
  const text = JSON.stringify(parsed) as string | undefined;
  if (text?.includes('null') !== true) return text ?? '';
  // Unknown to callers, so that no text of theirs becomes a number.
  const beyond = crypto.randomUUID();
  const marked = (_: string, value: unknown): unknown =>
    value === Infinity || value === -Infinity ? `${beyond}${value}` : value;
  return JSON.stringify(parsed, marked)
    .replaceAll(`"${beyond}Infinity"`, '1e999')
    .replaceAll(`"${beyond}-Infinity"`, '-1e999');
}

/** Headers whose second value would be ignored, or joined to the first: senders and readers differ on which. */
const ONCE = /^(?:host|origin|authorization|content-type|content-length|last-event-id|mcp-[^:]*)$/i;

/**
 * Names and values at which Node begins to drop headers, unless `maxHeadersCount` is set. A second header of a name could
 * be among those, which a proxy in front of this server reads.
 */
const MOST_RAW_HEADERS = 2_000;

/** The refusal of a request that cannot, or should not, become a web request. */
export function problemOf(incoming: IncomingMessage): TextReply | undefined {
  const { method = '', headers, rawHeaders } = incoming;
  const url = targetOf(incoming);
  if (/^(?:TRACE|TRACK|CONNECT)$/i.test(method)) return methodNotAllowed();
  if (rawHeaders.length >= MOST_RAW_HEADERS) {
    return refusal(431, BAD_REQUEST, 'The request has 1,000 headers or more');
  }
  // Node keeps one header of a name: where none is missing, no name came twice.
  const hasTwice = countOf(headers) * 2 < rawHeaders.length;
  const twice = hasTwice ? nameTwice(rawHeaders) : undefined;
  if (twice !== undefined) {
    return refusal(400, BAD_REQUEST, `There is more than one ${twice} header`);
  }
  const { host = '' } = headers;
  const malformed = refuseMalformedHost(host);
  if (malformed !== undefined) return malformed;
  // In the absolute form the target names the host as well; in the others it is a path.
  const target = url.startsWith('/') ? null : /^https?:\/\/([^/?#]*)/i.exec(url);
  if (target !== null && target[1]?.toLowerCase() !== host.toLowerCase()) {
    return refusal(400, BAD_REQUEST, 'The request target and the Host header disagree');
  }
  if (!isUrl(url, host)) return refusal(400, BAD_REQUEST, 'The URL is malformed');
  return undefined;
}

function countOf(headers: object): number {
  let count = 0;
  for (const _ in headers) count += 1;
  return count;
}

/** A header that must not come twice, and did. */
function nameTwice(rawHeaders: readonly string[]): string | undefined {
  const names = rawHeaders.filter((_, index) => index % 2 === 0).map((name) => name.toLowerCase());
  return names.find((name, index) => ONCE.test(name) && names.indexOf(name) !== index);
}
