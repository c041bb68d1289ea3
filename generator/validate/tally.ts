import type { Finding, Kind, Severity } from './finding.js';

/** The counts of one method, or of messages without one. */
export interface Row {
  readonly method: string;
  readonly requests: number;
  readonly notifications: number;
  readonly results: number;
  readonly errors: number;
  /** The number of invalid ones. */
  readonly invalid: number;
}

export interface Counts {
  readonly messages: number;
  /** Invalid messages. */
  readonly invalid: number;
  /** Texts that are not messages. */
  readonly unreadable: number;
  /** Lines of a log without a message. */
  readonly skipped: number;
  /** Messages whose revision is not known. */
  readonly unchecked: number;
  /** Answers without a request: only their envelopes were checked. */
  readonly unasked: number;
  /** Requests without an answer. */
  readonly unanswered: number;
}

type Writable<T> = { -readonly [K in keyof T]: T[K] };

const COLUMNS = {
  request: 'requests',
  notification: 'notifications',
  response: 'results',
  error: 'errors',
} as const satisfies Record<Kind, keyof Row>;

/** Counts what one input holds. */
export class Tally {
  readonly counts: Writable<Counts> = {
    messages: 0,
    invalid: 0,
    unreadable: 0,
    skipped: 0,
    unchecked: 0,
    unasked: 0,
    unanswered: 0,
  };
  readonly findings: Record<Severity, number> = { error: 0, unclear: 0, warning: 0 };
  readonly revisions = new Set<string>();
  #rows = new Map<string, Writable<Row>>();

  get rows(): readonly Row[] {
    return [...this.#rows.values()];
  }

  found({ severity }: Finding): void {
    this.findings[severity] += 1;
  }

  /** `method` is one of the protocol's, or one name for all others, so that the table stays small. */
  judged(method: string, kind: Kind | undefined, isValid: boolean): void {
    let row = this.#rows.get(method);
    if (!row) {
      row = { method, requests: 0, notifications: 0, results: 0, errors: 0, invalid: 0 };
      this.#rows.set(method, row);
    }
    if (kind) row[COLUMNS[kind]] += 1;
    if (isValid) return;
    row.invalid += 1;
    this.counts.invalid += 1;
  }
}

/** The rows of several inputs, one for each method, sorted by name. */
export function mergeRows(tallies: readonly Tally[]): Row[] {
  const merged = new Map<string, Row>();
  for (const row of tallies.flatMap(({ rows }) => rows)) {
    const same = merged.get(row.method);
    merged.set(row.method, same ? addUp(same, row) : row);
  }
  return [...merged.values()].sort((a, b) => (a.method < b.method ? -1 : 1));
}

export function mergeCounts(tallies: readonly Tally[]): Counts {
  return tallies.map(({ counts }) => counts).reduce<Counts>(addUp, new Tally().counts);
}

/** Adds the numbers; keeps the texts of the first. */
function addUp<T extends Row | Counts>(a: T, b: T): T {
  const more: Readonly<Record<string, unknown>> = { ...b };
  const sums = Object.entries(a).map(([key, value]: [string, unknown]) => [
    key,
    typeof value === 'number' ? value + Number(more[key]) : value,
  ]);
  return Object.fromEntries(sums) as T;
}
