import type { Kind, Party, Severity } from '../../contracts/validate/index.js';

/** A message as the page shows it. All texts are masked, cut and printable. */
export interface Row {
  /** Its number in the report, from 1. Messages that are not in a sample have numbers too. */
  readonly number: number;
  readonly file: number;
  readonly line: number;
  readonly from: Party | undefined;
  /** `note`: a part of the input that is no message. */
  readonly kind: Kind | 'note';
  readonly method: string;
  readonly id: string;
  /** The number of the request that it answers. */
  readonly answers: number | undefined;
  readonly ms: number | undefined;
  /** The index of its session among those of the recording. */
  readonly session: number | undefined;
  /** The index of its task. For a request that becomes a task, it is set with the answer. */
  task: number | undefined;
  /** The status of its task that it contains. */
  readonly status: string | undefined;
  /** Whether that status is new. */
  readonly isChange: boolean;
  readonly progress: number | undefined;
  readonly isQuestion: boolean;
  readonly label: string;
  readonly body: string;
  readonly isCut: boolean;
  readonly findings: readonly RowFinding[];
}

export interface RowFinding {
  readonly severity: Severity;
  readonly code: string;
  readonly text: string;
  /** The JSON pointer into the message. */
  readonly pointer: string;
  readonly expected?: string | undefined;
  readonly received?: string | undefined;
  /** The first and the last line of the part in `body`, from 0. */
  readonly lines?: readonly [number, number] | undefined;
}
