import type { Row } from './row.js';

/** What a report keeps of its messages. */
export interface Limits {
  /** Messages without a finding. */
  readonly rows: number;
  /** Messages with a finding, besides the others. */
  readonly found: number;
  /** Characters of the JSON of all messages. */
  readonly characters: number;
}

export const LIMITS: Limits = { rows: 100_000, found: 100_000, characters: 64_000_000 };

/** Of one message, as long as there is room for all. */
const BUDGET = 16_000;
/** Of a message in a report that is nearly full. */
const LEAST_BUDGET = 240;

/**
 * The rows of a report. Beyond the limit it keeps a half, a quarter and so on of the requests with their
 * answers, every message with a finding, and every new status of a task unless these alone fill the half.
 */
export class Sample {
  /** One request in this many is kept. */
  stride = 1;
  /** Whether it has every new status of a task. */
  keepsStates = true;
  /** Messages with findings that were dropped, because there are too many of them. */
  droppedFindings = 0;
  #plain: Row[] = [];
  #found: Row[] = [];
  #sorted: Row[] | undefined;
  #characters = 0;

  constructor(readonly limits: Limits) {}

  /** Whether a message would be kept. */
  wants({ number, answers, isFound, isChange }: Candidate): boolean {
    if (isFound) {
      if (this.#found.length < this.limits.found) return true;
      this.droppedFindings += 1;
      return false;
    }
    return (isChange && this.keepsStates) || this.#isChosen(answers ?? number);
  }

  /** About how many characters the next message may take. */
  get budget(): number {
    const left = this.limits.characters - this.#characters;
    const share = left / 1000;
    return Math.max(LEAST_BUDGET, Math.min(BUDGET, share));
  }

  add(row: Row): void {
    this.#characters += row.body.length;
    this.#sorted = undefined;
    if (row.findings.length > 0) {
      this.#found.push(row);
      return;
    }
    this.#plain.push(row);
    while (this.#plain.length > this.limits.rows) this.#halve();
  }

  /** In the order of the recording. */
  get rows(): readonly Row[] {
    this.#sorted ??= [...this.#plain, ...this.#found].sort(
      (a, b) => a.file - b.file || a.line - b.line || a.number - b.number,
    );
    return this.#sorted;
  }

  #halve(): void {
    this.stride *= 2;
    const states = this.#plain.filter(({ isChange }) => isChange).length;
    this.keepsStates &&= states < this.limits.rows / 2;
    this.#plain = this.#plain.filter(
      (row) => (row.isChange && this.keepsStates) || this.#isChosen(row.answers ?? row.number),
    );
    this.#characters = sizeOf(this.#plain) + sizeOf(this.#found);
  }

  /** By a hash, because numbers of requests may be all even. A choice stays one when the stride doubles. */
  #isChosen(number: number): boolean {
    return Math.imul(number, 0x9e3779b1) >>> 0 < 2 ** 32 / this.stride;
  }
}

interface Candidate {
  readonly number: number;
  readonly answers: number | undefined;
  readonly isFound: boolean;
  readonly isChange: boolean;
}

function sizeOf(rows: readonly Row[]): number {
  return rows.reduce((sum, { body }) => sum + body.length, 0);
}
