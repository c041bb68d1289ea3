import type { JsonValue } from './model.js';

/** One schema: an object or a boolean. */
export type JsonSchema = boolean | { readonly [keyword: string]: JsonValue };

/**
 * A checked schema document. The metamodel can express every construct in it, and every `$ref` names one
 * of `definitions`. The loader makes it.
 */
export interface SchemaDocument {
  /** A revision, or the name of the user's schema. */
  readonly name: string;
  readonly dialect: 'draft-07' | '2020-12';
  /** By the identifiers of the generated code, in the document's order. */
  readonly definitions: ReadonlyMap<string, JsonSchema>;
}

/** The name that a local reference points to: `#/$defs/Tool` → `Tool`; anything else is `undefined`. */
export function referencedName(reference: string): string | undefined {
  const match = /^#\/(?:\$defs|definitions)\/([^/]+)$/.exec(reference);
  if (!match?.[1]) return undefined;
  try {
    return decodeURIComponent(match[1]).replaceAll('~1', '/').replaceAll('~0', '~');
  } catch {
    return undefined;
  }
}
