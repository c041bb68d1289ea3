import { jsonPointer } from '../diagnostics/index.js';
import { subschemas, type Subschema } from './subschemas.js';
import type { JsonValue } from '../ir/index.js';

/** A reference, and whether following it comes back to a schema that was left. */
export interface Reference extends Subschema {
  readonly recursive: boolean;
}

/** The references of a schema. Those that leave the document are not followed. */
export function references(root: JsonValue): readonly Reference[] {
  const all = subschemas(root).filter(({ schema }) => typeof schema['$ref'] === 'string');
  const endless = new Set(all);
  // A reference whose target holds none that is endless ends, and so on, until nothing changes.
  for (let size = NaN; size !== endless.size;) {
    size = endless.size;
    for (const each of all) if (!holdsOne(targetOf(each), endless)) endless.delete(each);
  }
  return all.map((each) => ({ ...each, recursive: endless.has(each) }));
}

/** The pointer of what a reference names in its document; undefined for others. */
function targetOf({ schema }: Subschema): string | undefined {
  const reference = schema['$ref'];
  if (typeof reference !== 'string' || !/^#(?:\/|$)/.test(reference)) return undefined;
  try {
    return decodeURIComponent(reference.slice(1));
  } catch {
    return undefined;
  }
}

function holdsOne(target: string | undefined, endless: ReadonlySet<Subschema>): boolean {
  if (target === undefined) return false;
  for (const { path } of endless) {
    const pointer = jsonPointer(path);
    if (pointer === target || pointer.startsWith(`${target}/`)) return true;
  }
  return false;
}
