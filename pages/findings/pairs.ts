import { BoundedMap, isRecord } from '../../contracts/validate/index.js';
import type { Checked } from '../../contracts/validate/index.js';
import type { Row } from './row.js';

/** A request that waits for its answer. */
export interface TimedRequest {
  readonly number: number;
  readonly method: string;
  readonly ms: number | undefined;
  /** The index of the task that it is about. */
  task: number | undefined;
  /** Its row, if the report keeps it. */
  row?: Row;
}

/** Of open requests. Beyond, the oldest are forgotten. */
const BOUNDS = { entries: 10_000, characters: 4_000_000 };
const LONGEST_ID = 200;

/**
 * Open requests, by session, sender and id. `validate` pairs what it checks; this also pairs messages of a revision that is
 * not known, and keeps the times of requests.
 */
export class Pairs {
  #open = new BoundedMap<TimedRequest>(BOUNDS);

  ask(checked: Checked, asked: TimedRequest): void {
    this.#open.set(keyOf(checked.from, checked), asked, []);
  }

  /** The request of an answer, which is open no more. */
  answer(checked: Checked): TimedRequest | undefined {
    const { from } = checked;
    const others =
      from === undefined ? SIDES : [from === 'client' ? 'server' : 'client', undefined];
    const keys = others.map((side) => keyOf(side, checked)).filter((key) => this.#open.get(key));
    const [key] = keys;
    if (key === undefined || (keys.length > 1 && from === undefined)) return undefined;
    const asked = this.#open.get(key);
    this.#open.delete(key);
    return asked;
  }

  clear(): void {
    this.#open = new BoundedMap<TimedRequest>(BOUNDS);
  }
}

const SIDES = ['client', 'server', undefined] as const;

function keyOf(side: string | undefined, { value, record }: Checked): string {
  const id = isRecord(value) ? value['id'] : undefined;
  const text =
    typeof id === 'string'
      ? `"${id.slice(0, LONGEST_ID)}`
      : String(JSON.stringify(id)).slice(0, LONGEST_ID);
  const { session } = record ?? {};
  const isNamed = typeof session === 'string' || typeof session === 'number';
  return `${side ?? '?'} ${text} ${isNamed ? String(session).slice(0, LONGEST_ID) : ''}`;
}
