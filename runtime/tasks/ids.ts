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
