import type { Statement } from './statement.js';

/** What a person has to decide after an adoption. */
export interface Decision {
  /** From the repository's root. */
  readonly file: string;
  readonly line: number;
  readonly what: string;
}

/** The statement that the adopted one is compared with. */
export interface Previous extends Statement {
  /** Whether it is a version of the same protocol. Otherwise it is the revision that a new extension extends. */
  readonly isSameProtocol: boolean;
}

/** A file of this repository, from its root. */
export interface SourceText {
  readonly file: string;
  readonly text: string;
}
