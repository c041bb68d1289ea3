import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { LazyAbort } from '../../peer/index.js';
import { ERROR_CODES } from '../../protocol.js';
import { type Incoming, isEncoded, requestWith, type Unread } from '../http/incoming.js';
import type { Receiving, PartialBody } from '../http/receiving.js';
import {
  HTTP_METHODS,
  methodNotAllowed,
  refusal,
  type Reply,
  type TextReply,
  BAD_REQUEST,
  refuseMalformedHost,
} from '../http/reply.js';
import type { OutgoingQueue, Reader } from '../queue/outgoing.js';

export interface NodeOptions {
  readonly answer: (incoming: Incoming) => Promise<Reply>;
  /** Records a refusal that `answer` does not see, because the request is malformed. */
  readonly refused: (reply: TextReply) => TextReply;
  readonly receiving: Receiving;
  readonly onError: (error: unknown) => void;
}

/** Answers one request of Node's HTTP server. Never rejects. */
export type NodeListener = (
  request: IncomingMessage,
  response: ServerResponse,
  parsedBody?: unknown,
) => Promise<void>;

/**
 * Serves requests of Node's HTTP server, of Express or of Fastify. `parsedBody` is the JSON value that the framework has
 * read. Resolves when the answer was handed over to Node, or the client has disconnected.
 */
export function nodeListener(options: NodeOptions): NodeListener {
  const { onError } = options;
  return async (request, response, parsedBody) => {
    const gone = new LazyAbort();
    // Not `writableFinished`, which is true of answers that Node dropped because the client had ended the connection.
    let isSent = false;
    let queue: OutgoingQueue | undefined;
    response.on('finish', () => (isSent = true));
    onClose(response, () => {
      if (isSent) return;
      gone.abort(undefined);
      queue?.close();
    });
    try {
      const reply = await replyTo(request, response, parsedBody, gone, options);
      queue = write(reply, response, gone);
    } catch (error) {
      response.destroy();
      if (!gone.aborted) onError(error);
    }
  };
}

async function replyTo(
  request: IncomingMessage,
  response: ServerResponse,
  parsedBody: unknown,
  gone: LazyAbort,
  { answer, refused, receiving, onError }: NodeOptions,
): Promise<Reply> {
  try {
    const problem = problemOf(request);
    if (problem !== undefined) return refused(problem);
    const incoming = new NodeIncoming(request, parsedBody, gone, receiving);
    const reply = await answer(incoming);
    if (incoming.isUnread) response.shouldKeepAlive = false;
    return reply;
  } catch (error) {
    if (!gone.aborted) onError(error);
    return refusal(500, ERROR_CODES.InternalError, 'Internal error');
  }
}

/** Begins to write an answer. What is queued is returned: it has to be closed when the client disconnects. */
function write(reply: Reply, response: ServerResponse, gone: LazyAbort): OutgoingQueue | undefined {
  if (gone.aborted) {
    if ('stream' in reply) reply.stream.close();
    response.end();
    return undefined;
  }
  const { status, headers } = reply;
  if ('stream' in reply) {
    response.writeHead(status, headers);
    reply.stream.attach(new ResponseWriter(reply.stream, response));
    return reply.stream;
  }
  const length = { 'content-length': Buffer.byteLength(reply.body) };
  response.writeHead(status, status === 204 ? headers : Object.assign(length, headers));
  response.end(reply.body);
  return undefined;
}

/** Serves all requests of a server. Node closes the socket of a CONNECT request without an answer, unless it is answered here. */
export function serveOn(
  http: Server,
  listener: NodeListener,
  refused: NodeOptions['refused'],
): void {
  http.on('request', (request, response) => void listener(request, response));
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

/** Of the responses that wait behind another one. */
const WAITING = Symbol('responses that wait behind another one');

interface Connection extends Socket {
  [WAITING]?: Set<() => void>;
}

/**
 * Calls back when a response has ended or its connection has closed, perhaps more than once. Node tells the latter to
 * the first response of a connection only, not to those of requests that were sent before it was answered.
 */
export function onClose(response: ServerResponse, callback: () => void): void {
  response.on('close', callback);
  if (response.socket !== null) return;
  const callbacks = waitingAt(response.req.socket);
  callbacks.add(callback);
  response.on('close', () => callbacks.delete(callback));
}

function waitingAt(socket: Connection): Set<() => void> {
  const known = socket[WAITING];
  if (known !== undefined) return known;
  const callbacks = new Set<() => void>();
  socket[WAITING] = callbacks;
  socket.on('close', () => {
    for (const callback of callbacks) callback();
  });
  return callbacks;
}

/** Writes a queue to a response: what comes in one turn of the event loop in one write, and no more than is read. */
class ResponseWriter implements Reader {
  readonly #queue: OutgoingQueue;
  readonly #outgoing: ServerResponse;
  readonly #resume = (): void => this.#flush();
  #state: 'idle' | 'scheduled' | 'draining' | 'ended' = 'idle';
  #hasHead = false;

  constructor(queue: OutgoingQueue, outgoing: ServerResponse) {
    this.#queue = queue;
    this.#outgoing = outgoing;
  }

  wake(): void {
    if (this.#state !== 'idle') return;
    this.#state = 'scheduled';
    setImmediate(this.#resume);
  }

  /** A connection that is not read does not drain, and is closed all the same. */
  cut(): void {
    this.#state = 'ended';
    this.#outgoing.destroy();
  }

  #flush(): void {
    if (this.#state === 'ended') return;
    this.#state = 'idle';
    for (let piece = this.#queue.take(); piece !== undefined; piece = this.#queue.take()) {
      if (this.#queue.isOver) return this.#end(piece);
      this.#hasHead = true;
      if (this.#outgoing.write(piece)) continue;
      this.#state = 'draining';
      this.#outgoing.once('drain', this.#resume);
      return;
    }
    if (this.#queue.isOver) this.#end('');
    else if (!this.#hasHead) this.#outgoing.flushHeaders();
    this.#hasHead = true;
  }

  #end(piece: string): void {
    this.#state = 'ended';
    this.#outgoing.end(piece);
  }
}

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
class NodeIncoming implements Incoming {
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
function problemOf(incoming: IncomingMessage): TextReply | undefined {
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
  const malformed = goodHosts.has(host) ? undefined : refuseMalformedHost(host);
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
