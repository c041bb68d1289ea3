import { base64Url, hmacSha256, type JsonObject, sameText, sha256 } from '../../tasks/index.js';
import { isObject } from '../../wire/json.js';

/** What a client carries from one round trip to the next: the digest of its request, and the answers so far. */
export interface RequestState {
  readonly request: string;
  readonly answers: JsonObject;
}

/** Signs states, because a client could change what it carries. */
export interface RequestStates {
  /** The text for the client of this owner. */
  sign(state: RequestState, owner: string): string;
  /** The state; undefined for a text that was changed, has expired, or is another owner's. */
  verified(text: unknown, owner: string): RequestState | undefined;
  /** A short text that stands for a value. */
  digest(value: unknown): string;
}

interface Signed extends RequestState {
  readonly owner: string;
  /** Milliseconds since the epoch. */
  readonly expires: number;
}

const TTL_MS = 600_000;
const ENCODER = new TextEncoder();
const DECODER = new TextDecoder();

/** All processes of a server share `secret`, so that any of them can serve the next round trip. */
export function createRequestStates(secret: Uint8Array): RequestStates {
  // A key of its own, because the secret signs cursors too.
  const hmac = hmacSha256(hmacSha256(secret)(ENCODER.encode('request state')));

  return {
    sign({ request, answers }, owner) {
      const signed: Signed = { request, answers, owner, expires: Date.now() + TTL_MS };
      const payload = ENCODER.encode(JSON.stringify(signed));
      return `${textOf(payload)}.${base64Url(hmac(payload))}`;
    },
    verified(text, owner) {
      if (typeof text !== 'string') return undefined;
      const [encoded = '', signature = ''] = text.split('.', 2);
      const payload = bytesOf(encoded);
      if (payload === undefined) return undefined;
      if (!sameText(signature, base64Url(hmac(payload)))) return undefined;
      const signed = JSON.parse(DECODER.decode(payload)) as Signed;
      if (signed.owner !== owner || signed.expires < Date.now()) return undefined;
      return isObject(signed.answers) ? signed : undefined;
    },
    digest: (value) => base64Url(sha256(ENCODER.encode(JSON.stringify(value)))),
  };
}

/** Bytes that become characters at once: more arguments could overflow the stack. Whole groups of three. */
const SLICE = 3 * 2 ** 11;

function textOf(bytes: Uint8Array): string {
  if (bytes.length <= SLICE) return base64Url(bytes);
  let text = '';
  for (let at = 0; at < bytes.length; at += SLICE) {
    text += base64Url(bytes.subarray(at, at + SLICE));
  }
  return text;
}

/** Undefined for a text that is not Base64. */
function bytesOf(text: string): Uint8Array | undefined {
  try {
    const binary = atob(text.replaceAll('-', '+').replaceAll('_', '/'));
    const bytes = new Uint8Array(binary.length);
    for (let at = 0; at < binary.length; at += 1) bytes[at] = binary.charCodeAt(at);
    return bytes;
  } catch {
    return undefined;
  }
}
