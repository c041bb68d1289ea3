import type { IncomingMessage, Server, ServerResponse } from 'node:http';

import { INTERNAL_ERROR } from './errors.js';
import { refuseMalformedHost } from './hosts.js';
import { BAD_REQUEST, methodNotAllowed, HTTP_METHODS, refusal } from './refusals.js';
import { type Backlog, isEventStream, SLICE, TooSlow } from './sdk/index.js';

export interface NodeOptions {
  readonly serve: (request: Request) => Promise<Response>;
  /** Takes note of a refusal that `serve` does not see, because the request cannot be represented. */
  readonly refused: (response: Response) => Response;
  readonly backlog: Backlog;
  readonly maxBodyBytes: number;
  readonly onError: (error: unknown) => void;
}

/** Headers whose second value would be ignored, or joined to the first: senders and readers differ on which. */
const ONCE = /^(?:host|origin|authorization|content-type|content-length|last-event-id|mcp-[^:]*)$/i;

/**
 * Serves Node's requests as web requests. The SDK's adapter does so too, but it answers 500 to what cannot
 * be a web request (TRACE, a malformed host), and replaces bytes that are not UTF-8.
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
    const gone = new AbortController();
    outgoing.on('close', () => {
      if (!outgoing.writableFinished) gone.abort();
    });
    try {
      const response = await answerTo(incoming, parsed, gone.signal).catch((error: unknown) => {
        if (!gone.signal.aborted) onError(error);
        return refusal(500, INTERNAL_ERROR, 'Internal error');
      });
      await write(response, outgoing, gone.signal, backlog);
    } catch (error) {
      // A stream that was ended because its reader is too slow, or has gone.
      outgoing.destroy();
      if (!gone.signal.aborted && !(error instanceof TooSlow)) onError(error);
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

/** Why this cannot become a web request, or should not. */
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

/** All of a body, or nothing if it is larger than allowed. `parsed` is what a framework has read of it. */
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
  gone: AbortSignal,
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
    if (gone.aborted) return;
    if (!outgoing.write(slice)) await drained(outgoing, gone);
  }
  outgoing.end();
}

function eventsOf(response: Response): AsyncIterable<Uint8Array> {
  return response.body as unknown as AsyncIterable<Uint8Array>;
}

/** What has not been taken of an answer counts as waiting, as what has not been taken of a stream. */
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

function drained(outgoing: ServerResponse, gone: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const done = (): void => {
      outgoing.off('drain', done);
      gone.removeEventListener('abort', done);
      resolve();
    };
    outgoing.once('drain', done);
    gone.addEventListener('abort', done, { once: true });
    if (gone.aborted) done();
  });
}
