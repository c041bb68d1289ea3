import { INVALID_REQUEST, PARSE_ERROR } from './errors.js';
import type { Incoming } from './incoming.js';
import { BAD_REQUEST, refusal } from './refusals.js';
import { isJsonContentType } from './sdk/index.js';

export interface Body {
  /** `undefined` for a request that has none. */
  readonly value: unknown;
}

/** Levels of arrays and objects. Checking messages that are nested thousands of levels deep exhausts the stack. */
export const MOST_LEVELS = 500;

const JSON_TYPE = 'application/json';
const UTF_8 = new TextDecoder('utf-8', { fatal: true });

/** Reads the JSON of a POST once, or refuses it. */
export async function readBody(incoming: Incoming, maxBytes: number): Promise<Body | Response> {
  if (incoming.method !== 'POST') return { value: undefined };
  const contentType = incoming.header('content-type');
  if (contentType !== JSON_TYPE && !isJsonContentType(contentType)) {
    return refusal(415, BAD_REQUEST, 'Content-Type must be application/json');
  }
  const bytes = await incoming.read(maxBytes);
  if (bytes === 'encoded') {
    const encoding = incoming.header('content-encoding');
    const message = `Content-Encoding must be identity, not ${JSON.stringify(encoding)}`;
    return refusal(415, BAD_REQUEST, message, { headers: { 'Accept-Encoding': 'identity' } });
  }
  if (bytes === 'too large') {
    return refusal(413, BAD_REQUEST, `The body is larger than ${maxBytes} bytes`);
  }
  if (bytes === 'no room') {
    const message = 'The server is receiving too many request bodies. Send this one again';
    return refusal(503, BAD_REQUEST, message, { headers: { 'Retry-After': '1' } });
  }
  try {
    const text = UTF_8.decode(bytes);
    const value: unknown = JSON.parse(text);
    return levelsOf(text) > MOST_LEVELS
      ? refusal(400, INVALID_REQUEST, `The body is nested more than ${MOST_LEVELS} levels deep`)
      : { value };
  } catch {
    return refusal(400, PARSE_ERROR, 'The body is not JSON in UTF-8');
  }
}

/** The number of levels of valid JSON. */
function levelsOf(text: string): number {
  // Each level takes two characters.
  if (text.length <= 2 * MOST_LEVELS) return 0;
  let levels = 0;
  let deepest = 0;
  for (let at = 0; at < text.length; at += 1) {
    switch (text.charCodeAt(at)) {
      case 0x22:
        at = endOfString(text, at);
        break;
      case 0x5b:
      case 0x7b:
        levels += 1;
        if (levels > deepest) deepest = levels;
        break;
      case 0x5d:
      case 0x7d:
        levels -= 1;
    }
  }
  return deepest;
}

/** The position of the quotation mark that ends the string that begins at `start`. */
function endOfString(text: string, start: number): number {
  for (let at = text.indexOf('"', start + 1); ; at = text.indexOf('"', at + 1)) {
    let escapes = 0;
    while (text[at - 1 - escapes] === '\\') escapes += 1;
    if (escapes % 2 === 0) return at;
  }
}
