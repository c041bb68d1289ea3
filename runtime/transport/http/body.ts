import { ERROR_CODES } from '../../protocol/index.js';
import { isTooDeep, MOST_LEVELS } from '../levels.js';
import { isJsonContentType } from './content-type.js';
import type { Incoming, Unread } from './incoming.js';
import { BAD_REQUEST, refusal, type TextReply } from './reply.js';

/** Its value is any JSON. */
export interface Body {
  readonly value: unknown;
}

const UTF_8 = new TextDecoder('utf-8', { fatal: true });

/** Reads the JSON of a POST once, or refuses it. */
export function readBody(
  incoming: Incoming,
  maxBytes: number,
): Promise<Body | TextReply> | TextReply {
  if (!isJsonContentType(incoming.header('content-type'))) {
    return refusal(415, BAD_REQUEST, 'Content-Type must be application/json');
  }
  return incoming.read(maxBytes).then((bytes) => parsed(incoming, bytes, maxBytes));
}

function parsed(
  incoming: Incoming,
  bytes: Uint8Array | Unread,
  maxBytes: number,
): Body | TextReply {
  if (typeof bytes === 'string') return REFUSALS[bytes](incoming, maxBytes);
  try {
    const text = UTF_8.decode(bytes);
    const value: unknown = JSON.parse(text);
    return isTooDeep(text) ? TOO_DEEP : { value };
  } catch {
    return refusal(400, ERROR_CODES.ParseError, 'The body is not JSON in UTF-8');
  }
}

const TOO_DEEP = refusal(
  400,
  ERROR_CODES.InvalidRequest,
  `The body is nested more than ${MOST_LEVELS} levels deep`,
);

const REFUSALS: Readonly<Record<Unread, (incoming: Incoming, maxBytes: number) => TextReply>> = {
  encoded(incoming) {
    const encoding = JSON.stringify(incoming.header('content-encoding'));
    const message = `Content-Encoding must be identity, not ${encoding}`;
    return refusal(415, BAD_REQUEST, message, { headers: { 'accept-encoding': 'identity' } });
  },
  'too large': (_, maxBytes) =>
    refusal(413, BAD_REQUEST, `The body is larger than ${maxBytes} bytes`),
  'no room': () =>
    refusal(
      503,
      BAD_REQUEST,
      'The server is receiving too many request bodies. Send this one again',
      { headers: { 'retry-after': '1' } },
    ),
};
