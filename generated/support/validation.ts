// Written by mcp-codegen: what the generated files beside this folder have in common. Do not edit.
/* eslint-disable */

/** What every validator takes and gives. */

export interface ValidationOptions {
  /** Assert `format`: base64, URIs, URI templates. Off, as in JSON Schema, unless asked for. */
  readonly formats?: boolean | undefined;
  /** How many errors to report; 100 unless said otherwise, at least 1. */
  readonly maxErrors?: number | undefined;
}

/** One thing that is wrong with a value. Long texts in it are cut. */
export interface ValidationError {
  /** JSON pointer to the value, or to where a missing one belongs. */
  readonly pointer: string;
  readonly expected: string;
  readonly received: string;
  /** A sentence for people. */
  readonly message: string;
}

export type Validation<T> =
  | { readonly ok: true; readonly value: T }
  | { readonly ok: false; readonly errors: readonly ValidationError[] };
