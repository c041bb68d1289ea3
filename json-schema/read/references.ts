import type { Draft } from '../draft.js';
import type { JsonObject } from '../json.js';
import { resolveReference } from './reference.js';
import { type Place, Resources, UNNAMED } from './resources.js';
import { subschemas } from './subschemas.js';
import type { Subschema } from './subschemas.js';

/** A schema in a schema that refers to another. */
export interface Reference extends Subschema {
  readonly keyword: '$ref' | '$dynamicRef' | '$recursiveRef';
  readonly written: string;
  /** `remote` for another document, `dangling` when nothing is there. The target of a dynamic one is its first. */
  readonly target: Place | 'remote' | 'dangling';
}

const KEYWORDS = ['$ref', '$dynamicRef', '$recursiveRef'] as const;

/** All references in a schema, in the order of the text. */
export function references(root: JsonObject, draft: Draft): readonly Reference[] {
  const resources = new Resources(new Map(), draft);
  const { resource } = resources.add(root, UNNAMED);
  return subschemas(root).flatMap((subschema) =>
    KEYWORDS.flatMap((keyword) => {
      const written = subschema.schema[keyword];
      const place = resources.placeAt(resource, subschema.path.map(String));
      if (typeof written !== 'string' || place === undefined) return [];
      return [
        { ...subschema, keyword, written, target: resolveReference(written, place, resources) },
      ];
    }),
  );
}
