import { announcementIn, NOTHING_ANNOUNCED } from './announcement.js';
import type { Announcement } from './announcement.js';
import { MessageChecker } from './message-checker.js';
import type { CheckerOptions } from './message-checker.js';
import type { Unit } from './read.js';

/** The limits of messages that wait for the revision. */
const HELD_UNITS = 1000;
const HELD_BYTES = 4 * 1024 * 1024;

/** What a session that was forgotten goes on with. */
export interface Known {
  readonly revision: string | undefined;
  readonly extensions: readonly string[];
}

/** A note that the messages before it were a batch. */
interface Batch {
  readonly line: number;
  readonly length: number;
}

/** One conversation. Its first messages wait until the revision is known, because it may follow them. */
export class Session {
  #checker: MessageChecker;
  #held: (Unit | Batch)[] = [];
  #heldBytes = 0;
  #isHolding: boolean;
  /** Whether all that earlier messages need is loaded. */
  #isReady = false;
  #proposed: string | undefined;

  constructor(
    readonly options: CheckerOptions,
    known?: Known,
  ) {
    this.#checker = new MessageChecker(options);
    this.#checker.spoken.revision ??= known?.revision;
    for (const id of known?.extensions ?? []) this.#checker.spoken.extensions.add(id);
    this.#isHolding = this.#checker.spoken.revision === undefined;
  }

  get known(): Known {
    return {
      revision: this.#checker.spoken.revision,
      extensions: [...this.#checker.spoken.extensions],
    };
  }

  /** Whether the validators for a unit are loaded. */
  isReadyFor(unit: Unit): boolean {
    const { value } = unit;
    const isPlain = !Array.isArray(value) && announcementIn(value) === NOTHING_ANNOUNCED;
    if (isPlain && this.#isReady) return true;
    this.#isReady = this.options.library.has(this.#revisionsIn(unit), this.#extensionsIn(unit));
    return this.#isReady;
  }

  async prepareFor(unit: Unit): Promise<void> {
    await this.options.library.load(this.#revisionsIn(unit), this.#extensionsIn(unit));
  }

  take(unit: Unit): void {
    if (!this.#isHolding) {
      this.#checker.unit(unit);
      return;
    }
    this.#held.push(unit);
    this.#heldBytes += unit.size;
    for (const { own, settled, proposed } of announcementsIn(unit)) {
      this.#checker.spoken.revision ??= own ?? settled;
      this.#proposed ??= proposed;
    }
    const isFull = this.#held.length >= HELD_UNITS || this.#heldBytes >= HELD_BYTES;
    if (isFull || this.#checker.spoken.revision !== undefined) this.#release();
  }

  /** Notes that messages taken one by one were a batch. */
  batch(line: number, length: number): void {
    if (this.#isHolding) this.#held.push({ line, length });
    else this.#checker.wasBatch(length, line);
  }

  end(): void {
    if (this.#isHolding) this.#release();
    this.#checker.end();
  }

  #release(): void {
    this.#isHolding = false;
    this.#checker.spoken.revision ??= this.#proposed ?? this.#onlyRevision();
    for (const held of this.#held) {
      if ('value' in held) this.#checker.unit(held);
      else this.#checker.wasBatch(held.length, held.line);
    }
    this.#held = [];
  }

  /** The revision of the other sessions, if they have the same. */
  #onlyRevision(): string | undefined {
    const [first, ...others] = this.options.tally.revisions;
    return others.length === 0 ? first : undefined;
  }

  #revisionsIn(unit: Unit): string[] {
    const { revision } = this.options;
    return revision === undefined
      ? announcementsIn(unit).flatMap(
          ({ own, settled, proposed }) => own ?? settled ?? proposed ?? [],
        )
      : [revision];
  }

  #extensionsIn(unit: Unit): string[] {
    return [
      ...this.#checker.spoken.extensions,
      ...announcementsIn(unit).flatMap(({ extensions }) => extensions),
    ];
  }
}

function announcementsIn({ value }: Unit): Announcement[] {
  return (Array.isArray(value) ? value : [value]).map(announcementIn);
}
