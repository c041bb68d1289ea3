import type { DiagnosticCode } from '../diagnostics/index.js';
import type { Path, Place } from './resources.js';

/** A problem with a schema. What follows from it is the caller's decision. */
export interface SchemaProblem {
  readonly code: DiagnosticCode;
  /** A sentence. */
  readonly message: string;
  readonly help?: string;
  /** The problem changes no verdict. */
  readonly harmless?: boolean;
}

export type JsonSchemaReport = (problem: SchemaProblem, place: Place, ...below: Path) => void;
