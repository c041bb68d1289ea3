import type { Place } from '../../../json-schema/index.js';
import { stemOf } from './stem.js';

/** Keywords whose members are named, wherever they are. */
const DEFINING: ReadonlySet<string> = new Set(['$defs', 'definitions', 'schemas']);

/** What the schemas of a keyword describe, where its own name does not say it. */
const PARTS: ReadonlyMap<string, string> = new Map([
  ...['items', 'prefixItems', 'additionalItems', 'unevaluatedItems'].map(
    (keyword) => [keyword, 'item'] as const,
  ),
  ...['additionalProperties', 'patternProperties', 'unevaluatedProperties'].map(
    (keyword) => [keyword, 'value'] as const,
  ),
]);

/** Deeper places have the names of the last ones. */
const MOST_WORDS = 4;

/**
 * What a schema is called that is no definition but is referred to: `#/$defs/User/properties/address` →
 * `User address`, and a whole document by its file.
 */
export function placeName({ path, document }: Pick<Place, 'path' | 'document'>): string {
  if (path.length === 0) return stemOf(document);
  let words: string[] = [];
  for (let index = 0; index < path.length; index += 1) {
    const part = String(path[index]);
    const member = path[index + 1];
    const isNaming = member !== undefined && (DEFINING.has(part) || part === 'properties');
    if (isNaming) index += 1;
    if (isNaming && part !== 'properties') words = [String(member)];
    else words.push(isNaming ? String(member) : (PARTS.get(part) ?? part));
  }
  return words.slice(-MOST_WORDS).join(' ');
}
