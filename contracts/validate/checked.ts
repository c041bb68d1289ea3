import type { Path } from './access.js';
import type { Party } from './direction.js';
import type { RecordedWith } from './exchange.js';
import type { Finding, Kind } from './finding.js';

/** A message after its check, for those who show the recording. */
export interface Checked {
  /** The number of earlier messages of the input. */
  readonly at: number;
  readonly value: unknown;
  /** The line at which its JSON begins, from 1, and its path in that JSON. */
  readonly line: number;
  readonly path: Path;
  /** What the recording says beside it. */
  readonly record: RecordedWith | undefined;
  /** Absent where it is unclear. */
  readonly from: Party | undefined;
  /** Absent for a value that is no object. */
  readonly kind: Kind | undefined;
  /** For an answer, the method of its request. */
  readonly method: string | undefined;
  /** The number of messages before the request that it answers. */
  readonly answers: number | undefined;
  readonly findings: readonly Finding[];
}
