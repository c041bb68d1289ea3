import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import type { Json } from './json.js';
import { upstreamFolder } from './upstream.js';
import type { Revision } from './upstream.js';

/** A message that upstream publishes to show what a definition means. */
export interface Example {
  readonly definition: string;
  readonly value: Json;
  /** `<Definition>/<name>.json`, to name in failures. */
  readonly file: string;
}

/** The official examples, or why there are none. */
export type Examples =
  | { readonly examples: readonly Example[] }
  | { readonly examples: readonly []; readonly absent: string };

/** Reads `examples/<Definition>/*.json` of the official files, where they lie beside this checkout. */
export function loadExamples(revision: Revision): Examples {
  const folder = upstreamFolder(revision);
  if (folder === undefined) return { examples: [], absent: 'no official files on this machine' };
  const root = join(folder, 'examples');
  if (!existsSync(root)) return { examples: [], absent: `${revision} has no official examples` };
  const files = readdirSync(root, { recursive: true, encoding: 'utf8' }).sort();
  return {
    examples: files
      .filter((file) => file.endsWith('.json'))
      .map((file) => ({
        definition: basename(join(root, file, '..')),
        value: JSON.parse(readFileSync(join(root, file), 'utf8')) as Json,
        file,
      })),
  };
}
