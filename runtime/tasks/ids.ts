import { base64Url, sameText } from './json.js';
import { taskError } from './errors.js';
import type { Caller } from './record.js';
import { hmacSha256 } from './sha256.js';

/** Six random bits each. */
const RANDOM_DIGITS = 24;
const POOL_IDS = 128;
const TIME_DIGITS = 11;
const PLACE_DIGITS = 3;
const LAST_PLACE = 16 ** PLACE_DIGITS - 1;

const ALPHABET = new TextEncoder().encode(
  'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_',
);
const DECODER = new TextDecoder();

const random = new Uint8Array(RANDOM_DIGITS * POOL_IDS);
const letters = new Uint8Array(random.length);
/** The random parts of ids, one after the other: to make them one by one takes longer. */
let pool = '';
let used = random.length;

let latest = -1;
let place = 0;

/**
 * A task id: creation time as 11 hexadecimal digits, the place among the ids of that millisecond as 3, then
 * 144 random bits as base64url.
 *
 * What is in front makes ids sort by creation, so that one index serves look-up and paging. Tasks that one
 * process creates are in order even within a millisecond. The time reveals nothing, because a client that may
 * see the id may see the creation time. The places of a millisecond start at a random number; only the owner of two
 * ids of one millisecond can tell whether others created tasks between them.
 */
export function newTaskId(createdAt: number): string {
  if (used === random.length) refill();
  place = createdAt === latest ? place + 1 : (random[used] ?? 0) * 8;
  latest = createdAt;
  return (
    digits(createdAt, TIME_DIGITS) +
    digits(Math.min(place, LAST_PLACE), PLACE_DIGITS) +
    pool.slice(used, (used += RANDOM_DIGITS))
  );
}

function refill(): void {
  crypto.getRandomValues(random);
  for (let at = 0; at < random.length; at += 1) {
    letters[at] = ALPHABET[(random[at] ?? 0) & 63] ?? 0;
  }
  pool = DECODER.decode(letters);
  used = 0;
}

function digits(value: number, length: number): string {
  return value.toString(16).padStart(length, '0');
}

const ID = /^[0-9A-Za-z_-]{1,64}$/;

/** Whether this could be an id. Any other value is unknown without asking the store. */
export function isTaskId(value: unknown): value is string {
  return typeof value === 'string' && ID.test(value);
}

const SIGNATURE_BYTES = 16;
const ENCODER = new TextEncoder();

/**
 * Cursors for `tasks/list`: the last id shown, signed together with the caller that it was shown to.
 * A cursor that was altered, or is another caller's, is refused as invalid.
 */
interface CursorCodec {
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
