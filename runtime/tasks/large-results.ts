import { nextTurn } from './clock.js';
import type { TaskRecord } from './record.js';

/** Characters of results that are answered in one turn of the event loop. */
const MOST_A_TURN = 2 ** 20;
/** Characters of a result that does not count. */
const SMALL = 2 ** 12;
/** Milliseconds after which what was counted is over: in workerd a callback ends with the request that set it. */
const STALE_MS = 1_000;

let ahead = 0;
let changedAt = 0;

/**
 * The end of a task wakes all requests and subscriptions that wait for it in one turn. Large results take turns, so that
 * each is sent before the next is made: to check and to write 4 MiB takes some 50 ms. Undefined where this turn has room.
 */
export function roomFor({ outcome = '' }: TaskRecord): Promise<void> | undefined {
  return outcome.length <= SMALL ? undefined : turnFor(outcome.length);
}

function turnFor(characters: number): Promise<void> | undefined {
  if (performance.now() - changedAt > STALE_MS) ahead = 0;
  const turns = Math.floor(ahead / MOST_A_TURN);
  count(characters);
  const passed = afterTurns(Math.max(turns, 1)).then(() => count(-characters));
  return turns === 0 ? undefined : passed;
}

function count(characters: number): void {
  ahead = Math.max(0, ahead + characters);
  changedAt = performance.now();
}

async function afterTurns(turns: number): Promise<void> {
  for (let turn = 0; turn < turns; turn += 1) {
    await new Promise<void>((resolve) => nextTurn(resolve));
  }
}
