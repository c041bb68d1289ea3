import type { IncomingMessage, Server, ServerResponse } from 'node:http';

import { INTERNAL_ERROR } from './errors.js';
import { refuseMalformedHost } from './hosts.js';
import { BAD_REQUEST, methodNotAllowed, HTTP_METHODS, refusal } from './refusals.js';
import { type Backlog, isEventStream, SLICE, TooSlow } from './sdk/index.js';

export interface NodeOptions {
  readonly serve: (request: Request) => Promise<Response>;
  /** Records a refusal that `serve` does not see, because the request cannot become a web request. */
  readonly refused: (response: Response) => Response;
  readonly backlog: Backlog;
  readonly maxBodyBytes: number;
  readonly onError: (error: unknown) => void;
}

/** Headers whose second value would be ignored, or joined to the first: senders and readers differ on which. */
const ONCE = /^(?:host|origin|authorization|content-type|content-length|last-event-id|mcp-[^:]*)$/i;

/**
 * Serves Node's requests as web requests. The SDK has an adapter too, but it answers 500 to requests that cannot
 * become one (TRACE, a malformed host), and replaces bytes that are not UTF-8.
 */
export function nodeListener(options: NodeOptions) {
  const { serve, refused, backlog, maxBodyBytes, onError } = options;

  async function answerTo(
    incoming: IncomingMessage,
    parsed: unknown,
    signal: AbortSignal,
  ): Promise<Response> {
    const problem = problemOf(incoming);
    if (problem !== undefined) return refused(problem);
    const body = await bodyOf(incoming, parsed, maxBodyBytes);
    if (body === undefined) {
      const message = `The body is larger than ${maxBodyBytes} bytes`;
      return refused(refusal(413, BAD_REQUEST, message, { headers: { Connection: 'close' } }));
    }
    return serve(requestOf(incoming, body, signal));
  }

  return async (
    incoming: IncomingMessage,
    outgoing: ServerResponse,
    parsed?: unknown,
  ): Promise<void> => {
    const disconnected = new AbortController();
    outgoing.on('close', () => {
      if (!outgoing.writableFinished) disconnected.abort();
    });
    try {
      const response = await answerTo(incoming, parsed, disconnected.signal).catch(
        (error: unknown) => {
          if (!disconnected.signal.aborted) onError(error);
          return refusal(500, INTERNAL_ERROR, 'Internal error');
        },
      );
      await write(response, outgoing, disconnected.signal, backlog);
    } catch (error) {
      // The stream was ended because its reader is too slow or has disconnected.
      outgoing.destroy();
      if (!disconnected.signal.aborted && !(error instanceof TooSlow)) onError(error);
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
  const names = rawHeaders.filter((_, index) => index % 2 === 0).map((name) => name.toLowerCase());
  const twice = names.find((name, index) => ONCE.test(name) && names.indexOf(name) !== index);
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
  if (!URL.canParse(urlOf(url, host))) return refusal(400, BAD_REQUEST, 'The URL is malformed');
  return undefined;
}

/** Express takes the path under which it mounts a handler off `url`. */
function targetOf(incoming: IncomingMessage & { readonly originalUrl?: string }): string {
  return incoming.originalUrl ?? incoming.url ?? '';
}

function urlOf(target: string, host: string): string {
  if (/^https?:\/\//i.test(target)) return target;
  return target.startsWith('/') ? `http://${host || 'localhost'}${target}` : 'invalid';
}

/** The whole body; undefined if it is larger than allowed. `parsed` is the value that a framework has read. */
async function bodyOf(
  incoming: IncomingMessage,
  parsed: unknown,
  maxBytes: number,
): Promise<Buffer | undefined> {
  if (incoming.method === 'GET' || incoming.method === 'HEAD') return Buffer.alloc(0);
  if (incoming.readableEnded || parsed !== undefined) return encoded(parsed, maxBytes);
  if (Number(incoming.headers['content-length']) > maxBytes) return undefined;
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of incoming as AsyncIterable<Buffer>) {
    size += chunk.byteLength;
    if (size > maxBytes) return undefined;
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

function encoded(parsed: unknown, maxBytes: number): Buffer | undefined {
  const asRead = typeof parsed === 'string' || parsed instanceof Uint8Array;
  const bytes = Buffer.from(asRead ? parsed : (JSON.stringify(parsed) ?? ''));
  return bytes.byteLength > maxBytes ? undefined : bytes;
}

function requestOf(incoming: IncomingMessage, body: Buffer, signal: AbortSignal): Request {
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

async function write(
  response: Response,
  outgoing: ServerResponse,
  disconnected: AbortSignal,
  backlog: Backlog,
): Promise<void> {
  const headers = Object.fromEntries(response.headers);
  const bytes = isEventStream(response) ? undefined : Buffer.from(await response.arrayBuffer());
  const hasLength = bytes !== undefined && response.status !== 204;
  outgoing.writeHead(response.status, {
    ...headers,
    ...(hasLength && { 'content-length': bytes.byteLength }),
  });
  if (bytes !== undefined && bytes.byteLength <= SLICE) {
    outgoing.end(bytes);
    return;
  }
  outgoing.flushHeaders();
  const slices = bytes === undefined ? eventsOf(response) : slicesOf(bytes, outgoing, backlog);
  for await (const slice of slices) {
    if (disconnected.aborted) return;
    if (!outgoing.write(slice)) await drained(outgoing, disconnected);
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
