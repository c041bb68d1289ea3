/** What the board answers, from JSON. */
import type { Details, Row } from '../api.js';

export type { Details, Payload, Row } from '../api.js';

/** A part of the list. */
export interface Found {
  readonly tasks: readonly Row[];
  /** Where the next part starts; absent at the end. */
  readonly next?: string;
}

export interface Counts {
  readonly counts: Readonly<Record<string, number>>;
  /** Milliseconds after which the board counts again. */
  readonly nextMs: number;
}

/** One task, and whether the page may ask for payloads. */
export interface TaskAnswer {
  readonly task: Details;
  readonly payloads: boolean;
}
