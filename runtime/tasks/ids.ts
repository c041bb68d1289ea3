import { randomFillSync } from 'node:crypto';

const RANDOM_BYTES = 18;
const POOL_IDS = 128;
const TIME_DIGITS = 11;

const pool = Buffer.alloc(RANDOM_BYTES * POOL_IDS);
let used = pool.length;

/**
 * A task id: creation time as 11 hexadecimal digits, then 144 random bits as base64url.
 *
 * The time in front makes ids sort by creation, so that one index serves look-up and paging. It reveals
 * nothing, because a client that may see the id may see the creation time.
 */
export function newTaskId(createdAt: number): string {
  if (used === pool.length) {
    randomFillSync(pool);
    used = 0;
  }
  const random = pool.toString('base64url', used, (used += RANDOM_BYTES));
  return createdAt.toString(16).padStart(TIME_DIGITS, '0') + random;
}

const ID = /^[0-9A-Za-z_-]{1,64}$/;

/** Whether this could be an id. Any other value is unknown without asking the store. */
export function isTaskId(value: unknown): value is string {
  return typeof value === 'string' && ID.test(value);
}
