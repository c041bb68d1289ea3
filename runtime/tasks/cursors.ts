import { createHmac, timingSafeEqual } from 'node:crypto';

import { taskError } from './errors.js';
import { isTaskId } from './ids.js';
import type { Caller } from './record.js';

const SIGNATURE_BYTES = 16;

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
  function encode({ owner, dialect }: Caller, lastId: string): string {
    const signature = createHmac('sha256', secret)
      .update(JSON.stringify([owner, dialect, lastId]))
      .digest()
      .subarray(0, SIGNATURE_BYTES);
    return `${lastId}.${signature.toString('base64url')}`;
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

/** Takes as long for a guess that is nearly right as for any other of that length. */
function sameText(given: string, expected: string): boolean {
  const [a, b] = [Buffer.from(given), Buffer.from(expected)];
  return a.length === b.length && timingSafeEqual(a, b);
}
