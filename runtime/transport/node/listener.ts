import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

import { LazyAbort } from '../../peer/index.js';
import { ERROR_CODES } from '../../protocol.js';
import type { Incoming } from '../http/incoming.js';
import type { Receiving } from '../http/receiving.js';
import {
  HTTP_METHODS,
  methodNotAllowed,
  refusal,
  type Reply,
  type TextReply,
} from '../http/reply.js';
import type { OutgoingQueue, Reader } from '../queue/outgoing.js';
import { NodeIncoming, problemOf } from './request.js';

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
