import type { JsonValue } from './model.js';

/** One schema, as JSON holds it: an object or a boolean. */
export type JsonSchema = boolean | { readonly [keyword: string]: JsonValue };

/**
 * A schema document whose every construct the metamodel can express. The loader makes these and
 * refuses or leaves out what it cannot vouch for: every `$ref` names one of `definitions`.
 */
export interface SchemaDocument {
  /** A revision, or the name that the user's file goes by. */
  readonly name: string;
  readonly dialect: 'draft-07' | '2020-12';
  /** Under the identifiers that the generated code uses, in the document's order. */
  readonly definitions: ReadonlyMap<string, JsonSchema>;
}

/** The name that a local reference points at: `#/$defs/Tool` → `Tool`; anything else is `undefined`. */
export function referencedName(reference: string): string | undefined {
  const match = /^#\/(?:\$defs|definitions)\/([^/]+)$/.exec(reference);
  if (!match?.[1]) return undefined;
  try {
    return decodeURIComponent(match[1]).replaceAll('~1', '/').replaceAll('~0', '~');
  } catch {
    return undefined;
  }
}
