import type { Definition, Draft } from '../../json-schema/index.js';
import type { Correction, Extension } from './model.js';

/** The definitions of a schema document. Every `ref` in them names one of them. The loader makes it. */
export interface SchemaDocument {
  /** A revision, or the name of the user's schema. */
  readonly name: string;
  readonly dialect: Draft;
  /** Present when the document adds messages to a revision. */
  readonly extension?: Extension;
  /** By the identifiers of the generated code, in the document's order. */
  readonly definitions: ReadonlyMap<string, Definition>;
  /** The corrections that its definitions contain. */
  readonly errata?: readonly Correction[];
}
