import { BoundedMap } from './bounded.js';
import type { CheckerOptions } from './message-checker.js';
import type { Unit } from './read.js';
import { Session } from './session.js';
import type { Known } from './session.js';
import { SessionTable } from './session-table.js';

/** A session keeps at most some megabytes, whatever its size is. */
const LIMITS = { sessions: 500, bytes: 16 * 1024 * 1024, bytesOfEach: 2 * 1024 * 1024 };
/** What is kept of forgotten sessions. */
const FORGOTTEN = { entries: 10_000, characters: 1_000_000 };
const LONGEST_KEY = 200;
const MAIN = '';

/**
 * The sessions of one input, each of which is a conversation of its own. A record says by its key `session` to which its
 * message belongs. Messages without it belong to the first session.
 */
export class Sessions {
  readonly #table = new SessionTable<Session>(
    LIMITS,
    (key) => this.#begin(key),
    (session, key) => this.#forget(session, key),
  );
  #forgotten = new BoundedMap<Known>(FORGOTTEN);
  #first: string | undefined;
  #current: Session | undefined;

  constructor(readonly options: CheckerOptions) {}

  of({ record, size }: Unit): Session {
    return (this.#current = this.#table.of(this.#keyOf(record?.session), size));
  }

  /** Notes that the last messages were a batch. */
  batch(line: number, length: number): void {
    (this.#current ?? this.#table.of(MAIN)).batch(line, length);
  }

  end(): void {
    for (const session of this.#table) session.end();
  }

  #keyOf(session: unknown): string {
    if (typeof session !== 'string' && typeof session !== 'number') return MAIN;
    const key = String(session).slice(0, LONGEST_KEY);
    this.#first ??= key;
    return key === this.#first ? MAIN : key;
  }

  #begin(key: string): Session {
    const known = this.#forgotten.get(key);
    if (known) this.options.tally.counts.forgotten += 1;
    return new Session(this.options, known);
  }

  #forget(session: Session, key: string): void {
    session.end();
    this.#forgotten.set(key, session.known, []);
  }
}
