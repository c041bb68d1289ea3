import type { Finding, Kind, Severity } from './finding.js';
import type { Skipped } from './line.js';

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
  /** Texts that are no message, and were not meant to be one. */
  readonly skipped: number;
  /** Messages whose revision is not known. */
  readonly unchecked: number;
  /** Answers without a request: only their envelopes were checked. */
  readonly unasked: number;
  /** Requests without an answer. */
  readonly unanswered: number;
  /** Sessions that were forgotten while they went on, because too many were open. */
  readonly forgotten: number;
}

type Writable<T> = { -readonly [K in keyof T]: T[K] };

const COLUMNS = {
  request: 'requests',
  notification: 'notifications',
  response: 'results',
  error: 'errors',
} as const satisfies Record<Kind, keyof Row>;

/** Places that were skipped for one reason. */
export interface SkippedLines {
  readonly reason: Skipped;
  readonly count: number;
  /** The first of them, from 1. */
  readonly lines: readonly number[];
}

/** Lines that are named, for each reason. */
const NAMED = 10;

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
    forgotten: 0,
  };
  readonly findings: Record<Severity, number> = { error: 0, unclear: 0, warning: 0 };
  readonly revisions = new Set<string>();
  #rows = new Map<string, Writable<Row>>();
  #skipped = new Map<Skipped, { count: number; readonly lines: number[] }>();

  get rows(): readonly Row[] {
    return [...this.#rows.values()];
  }

  get skipped(): readonly SkippedLines[] {
    return [...this.#skipped].map(([reason, rest]) => ({ reason, ...rest }));
  }

  skip(line: number, reason: Skipped): void {
    this.counts.skipped += 1;
    const same = this.#skipped.get(reason) ?? { count: 0, lines: [] };
    this.#skipped.set(reason, same);
    same.count += 1;
    if (same.lines.length < NAMED && same.lines.at(-1) !== line) same.lines.push(line);
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

const REASONS: Readonly<Record<Skipped, string>> = {
  text: 'no JSON object',
  'no-envelope': 'no "jsonrpc"',
  beside: 'an object without "jsonrpc" beside a message',
  body: 'an HTTP body that is not JSON-RPC',
};

/** `line 3: no JSON object; lines 7, 8, … (40 in all): no "jsonrpc"`. */
export function saySkipped({ skipped }: Tally): string {
  return skipped
    .map(({ reason, count, lines }) => {
      const more = count > lines.length ? `, … (${String(count)} in all)` : '';
      const places = `${lines.length > 1 || more ? 'lines' : 'line'} ${lines.join(', ')}${more}`;
      return `${places}: ${REASONS[reason]}`;
    })
    .join('; ');
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
