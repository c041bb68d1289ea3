import type { Path, Place } from './resources.js';

/** The kinds of problems. */
export type FaultCode =
  | 'bad-name'
  | 'circular-ref'
  | 'dangling-ref'
  | 'ignored-siblings'
  | 'malformed-keyword'
  | 'not-a-schema'
  | 'remote-ref'
  | 'too-large'
  | 'unmatchable-pattern'
  | 'unsupported-keyword';

/** A problem with its place. */
export interface Fault {
  readonly code: FaultCode;
  /** A warning changes no verdict. */
  readonly severity: 'error' | 'warning';
  /** A sentence. */
  readonly message: string;
  /** In the document, as a JSON pointer (RFC 6901). */
  readonly pointer: string;
  /** The URI of the document, if it has one. */
  readonly source?: string;
  /** A sentence about what to do. */
  readonly help?: string;
}

/** A problem with a schema. What follows from it is the caller's decision. */
export interface SchemaProblem {
  readonly code: FaultCode;
  /** A sentence. */
  readonly message: string;
  readonly help?: string;
  /** The problem changes no verdict. */
  readonly harmless?: boolean;
}

export const NO_SCHEMA: SchemaProblem = {
  code: 'not-a-schema',
  message: 'A schema must be an object, true or false.',
};

export type JsonSchemaReport = (problem: SchemaProblem, place: Place, ...below: Path) => void;
