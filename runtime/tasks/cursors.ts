import { base64Url, sameText } from './json.js';
import { taskError } from './errors.js';
import { isTaskId } from './ids.js';
import type { Caller } from './record.js';
import { hmacSha256 } from './sha256.js';

const SIGNATURE_BYTES = 16;
const ENCODER = new TextEncoder();

/**
 * Cursors for `tasks/list`: the last id shown, signed together with the caller that it was shown to.
 * A cursor that was altered, or is another caller's, is refused as invalid.
 */
export interface CursorCodec {
  encode(caller: Caller, lastId: string): string;
  /** Throws `invalid_cursor`. */
  decode(caller: Caller, cursor: unknown): string;
}

export function createCursorCodec(secret: Uint8Array): CursorCodec {
  const sign = hmacSha256(secret);

  function encode({ owner, dialect }: Caller, lastId: string): string {
    const signature = sign(ENCODER.encode(JSON.stringify([owner, dialect, lastId])));
    return `${lastId}.${base64Url(signature.subarray(0, SIGNATURE_BYTES))}`;
  }

  return {
    encode,
    decode(caller, cursor) {
      const [id] = typeof cursor === 'string' ? cursor.split('.', 1) : [];
      // The texts are compared: base64url has several spellings of the same bytes.
      if (isTaskId(id) && sameText(String(cursor), encode(caller, id))) return id;
      throw taskError('invalid_cursor', 'Invalid cursor');
    },
  };
}
