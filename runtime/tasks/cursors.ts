import { createHmac, timingSafeEqual } from 'node:crypto';

import { taskError } from './errors.js';
import { isTaskId } from './ids.js';
import type { Caller } from './record.js';

const MAC_BYTES = 16;

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
  const sign = (caller: Caller, id: string): Buffer =>
    createHmac('sha256', secret)
      .update(JSON.stringify([caller.owner, caller.dialect, id]))
      .digest()
      .subarray(0, MAC_BYTES);

  return {
    encode: (caller, lastId) => `${lastId}.${sign(caller, lastId).toString('base64url')}`,
    decode(caller, cursor) {
      const [id, mac, ...rest] = typeof cursor === 'string' ? cursor.split('.', 3) : [];
      if (isTaskId(id) && mac !== undefined && rest.length === 0) {
        const given = Buffer.from(mac, 'base64url');
        if (given.length === MAC_BYTES && timingSafeEqual(given, sign(caller, id))) return id;
      }
      throw taskError('invalid_cursor', 'Invalid cursor');
    },
  };
}
