import { isRequestId } from '../../peer/index.js';
import { ERROR_CODES } from '../../protocol.js';
import type { OutgoingQueue } from '../queue/outgoing.js';

/** An answer over HTTP. Names of headers are in lower case. */
export type Reply = TextReply | StreamReply;

export type ReplyHeaders = Readonly<Record<string, string>>;

/** An answer whose whole text is known. */
export interface TextReply {
  readonly status: number;
  readonly headers: ReplyHeaders;
  /** Empty where there is none. */
  readonly body: string;
}

export interface StreamReply {
  readonly status: number;
  readonly headers: ReplyHeaders;
  readonly stream: OutgoingQueue;
}

export interface RefusalOptions {
  /** Of the JSON-RPC request, where it could be read. */
  readonly id?: unknown;
  readonly data?: unknown;
  readonly headers?: ReplyHeaders;
}

/** For requests that break a rule of HTTP itself. */
export const BAD_REQUEST = -32000;

/** Methods of HTTP that are accepted on the path of the server. */
export const HTTP_METHODS = ['GET', 'POST', 'DELETE', 'OPTIONS'] as const;

export const JSON_HEADERS: ReplyHeaders = { 'content-type': 'application/json' };
const NO_HEADERS: ReplyHeaders = {};

export function jsonReply(value: unknown, status = 200, headers?: ReplyHeaders): TextReply {
  const all = headers === undefined ? JSON_HEADERS : Object.assign({}, JSON_HEADERS, headers);
  return { status, headers: all, body: JSON.stringify(value) };
}

export function emptyReply(status: number, headers = NO_HEADERS): TextReply {
  return { status, headers, body: '' };
}

/** The answer to a request that is refused: a JSON-RPC error. */
export function refusal(
  status: number,
  code: number,
  message: string,
  { id, data, headers }: RefusalOptions = {},
): TextReply {
  const error = data === undefined ? { code, message } : { code, message, data };
  // The id of a refused request may be anything.
  const idPart = isRequestId(id) ? { id } : {};
  return jsonReply({ jsonrpc: '2.0', ...idPart, error }, status, headers);
}

export function methodNotAllowed(): TextReply {
  const headers = { allow: HTTP_METHODS.join(', ') };
  return refusal(405, BAD_REQUEST, 'Method not allowed', { headers });
}

/** The same answer with more headers, which take the place of those with the same names. */
export function withHeaders<R extends Reply>(reply: R, headers: ReplyHeaders): R {
  return Object.assign({}, reply, { headers: Object.assign({}, reply.headers, headers) });
}

export async function replyOf(response: Response): Promise<TextReply> {
  const { status } = response;
  return { status, headers: Object.fromEntries(response.headers), body: await response.text() };
}

export function isReply(value: object): value is Reply {
  return 'status' in value && 'headers' in value;
}

/** A name or an address in brackets, and a port. */
const HOST = /^(?:[a-z0-9._~-]+|\[[0-9a-f:.]+\])(?::\d{0,5})?$/i;

export function refuseMalformedHost(host: string): TextReply | undefined {
  if (host === '' || HOST.test(host)) return undefined;
  return refusal(400, BAD_REQUEST, 'The Host header is malformed');
}

/** The statuses of errors with which a server refuses a request before a handler sees it. */
const OF_REFUSALS: Readonly<Record<number, number | undefined>> = {
  [ERROR_CODES.ParseError]: 400,
  [ERROR_CODES.InvalidRequest]: 400,
  [ERROR_CODES.MethodNotFound]: 404,
  [ERROR_CODES.UnsupportedProtocolVersion]: 400,
  [ERROR_CODES.MissingRequiredClientCapability]: 400,
  [ERROR_CODES.HeaderMismatch]: 400,
};

/** Invalid params are an answer like others. */
export function statusOfRefusal(code: unknown): number {
  return OF_REFUSALS[Number(code)] ?? 200;
}

/** Errors of handlers are answers, save this one, whose status the specification names. */
export function statusOfError(code: unknown): number {
  return code === ERROR_CODES.MissingRequiredClientCapability ? 400 : 200;
}

/** Why a request is not served: an error with its status. */
export class Refused {
  readonly status: number;
  readonly code: number;
  readonly message: string;
  readonly data: unknown;

  constructor(status: number, code: number, message: string, data?: unknown) {
    this.status = status;
    this.code = code;
    this.message = message;
    this.data = data;
  }

  reply(id?: unknown): TextReply {
    return refusal(this.status, this.code, this.message, { id, data: this.data });
  }
}

/** Headers and body contradict each other: who routed by the header saw another request than the one that is served. */
export function mismatch(header: string, body: string): Refused {
  const message = `Bad Request: the request headers and body disagree: ${body}`;
  return new Refused(400, ERROR_CODES.HeaderMismatch, message, { mismatch: { header, body } });
}

/** The value of a header without the blanks around it. */
export function trimmed(header: string | null): string | undefined {
  if (header === null) return undefined;
  let [start, end] = [0, header.length];
  while (start < end && BLANKS.includes(header.charAt(start))) start += 1;
  while (end > start && BLANKS.includes(header.charAt(end - 1))) end -= 1;
  return header.slice(start, end);
}

const BLANKS = ' \t';
