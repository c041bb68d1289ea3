import { INVALID_REQUEST, PARSE_ERROR } from './errors.js';
import { BAD_REQUEST, refusal } from './refusals.js';
import { isJsonContentType } from './sdk/index.js';

export interface Body {
  /** `undefined` for a request that has none. */
  readonly value: unknown;
}

/** Levels of arrays and objects. Checking messages that are nested thousands of levels deep exhausts the stack. */
export const MOST_LEVELS = 500;

/** Reads the JSON of a POST once, or refuses it. */
export async function readBody(request: Request, maxBytes: number): Promise<Body | Response> {
  if (request.method !== 'POST') return { value: undefined };
  if (!isJsonContentType(request.headers.get('content-type'))) {
    return refusal(415, BAD_REQUEST, 'Content-Type must be application/json');
  }
  const bytes = await readBytes(request, maxBytes);
  if (bytes === undefined) {
    return refusal(413, BAD_REQUEST, `The body is larger than ${maxBytes} bytes`);
  }
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(bytes);
    const value: unknown = JSON.parse(text);
    return levelsOf(text) > MOST_LEVELS
      ? refusal(400, INVALID_REQUEST, `The body is nested more than ${MOST_LEVELS} levels deep`)
      : { value };
  } catch {
    return refusal(400, PARSE_ERROR, 'The body is not JSON in UTF-8');
  }
}

/** The body; undefined if it is larger than allowed. */
async function readBytes(request: Request, maxBytes: number): Promise<Uint8Array | undefined> {
  if (Number(request.headers.get('content-length')) > maxBytes) return undefined;
  const chunks: Uint8Array[] = [];
  let size = 0;
  const reader = (request.body as ReadableStream<Uint8Array> | null)?.getReader();
  for (;;) {
    const { done = true, value } = (await reader?.read()) ?? {};
    if (done || value === undefined) break;
    size += value.byteLength;
    if (size > maxBytes) {
      reader?.cancel().catch(() => undefined);
      return undefined;
    }
    chunks.push(value);
  }
  return chunks.length === 1 ? chunks[0] : Buffer.concat(chunks);
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
