import type { Draft } from '../drafts.js';

/**
 * Requests that no client of good will sends. Text in braces names a task, a session or a cursor of the server that
 * gets them.
 */
export interface HostileRequest {
  readonly method: string;
  readonly target: string;
  readonly version: string;
  readonly headers: readonly (readonly [string, string])[];
  /** Every character a byte. */
  readonly body: string;
  /** Bytes in each chunk; none for a body with a length. */
  readonly chunks: readonly number[];
}

export type Headers = HostileRequest['headers'];

/** A text as its bytes in UTF-8, each a character. */
const bytes = (text: string): string => Buffer.from(text).toString('latin1');

/** A draft as it is. */
export function requestOf({ headers, message }: Draft): HostileRequest {
  return {
    method: 'POST',
    target: '/mcp',
    version: 'HTTP/1.1',
    headers: Object.entries(headers),
    body: bytes(message === undefined ? '' : JSON.stringify(message)),
    chunks: [],
  };
}

/** A request in the names of a server, as bytes. */
export function bytesOf(request: HostileRequest, fill: (text: string) => string): Buffer {
  const { method, target, version, headers, chunks } = request;
  const body = Buffer.from(fill(request.body), 'latin1');
  const framing: Headers =
    chunks.length > 0
      ? [['Transfer-Encoding', 'chunked']]
      : body.length > 0
        ? [['Content-Length', String(body.length)]]
        : [];
  const lines = [...headers, ...framing].map(([name, value]) => `${name}: ${fill(value)}`);
  const head = [`${method} ${target} ${version}`, ...lines, '', ''].join('\r\n');
  return Buffer.concat([
    Buffer.from(head, 'latin1'),
    ...(chunks.length > 0 ? chunked(body, chunks) : [body]),
  ]);
}

function chunked(body: Buffer, sizes: readonly number[]): Buffer[] {
  const parts: Buffer[] = [];
  let at = 0;
  for (let index = 0; at < body.length; index += 1) {
    const part = body.subarray(at, at + (sizes[index % sizes.length] ?? 1));
    parts.push(Buffer.from(`${part.length.toString(16)}\r\n`), part, Buffer.from('\r\n'));
    at += part.length;
  }
  return [...parts, Buffer.from('0\r\n\r\n')];
}
