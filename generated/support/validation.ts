// Written by mcp-codegen: what the generated files beside this folder have in common. Do not edit.
/* eslint-disable */

/** The arguments and results of validators. */

export interface ValidationOptions {
  /** Check `format`: base64, URIs, URI templates. Default: false, as in JSON Schema. */
  readonly formats?: boolean | undefined;
  /** The largest number of errors to report, at least 1. Default: 100. */
  readonly maxErrors?: number | undefined;
}

/** One error of a value. Long texts in it are cut. */
export interface ValidationError {
  /** The JSON pointer to the value, or to the place of a missing one. */
  readonly pointer: string;
  readonly expected: string;
  readonly received: string;
  /** A sentence for users. */
  readonly message: string;
}

export type Validation<T> =
  | { readonly ok: true; readonly value: T }
  | { readonly ok: false; readonly errors: readonly ValidationError[] };
