import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { DEFAULT_EMITS } from '../../generator/emit/index.js';
import { packageRoot } from '../../generator/read/load/index.js';
import type { Revision } from '../../generator/read/load/index.js';

/** The committed files of a revision by name: `types.ts`, `zod.ts`, … */
export function generatedFiles(revision: Revision): Record<string, string> {
  const names = [...DEFAULT_EMITS, 'standard', 'index'].map((emit) => `${emit}.ts`);
  const folder = join(packageRoot(), 'generated', revision);
  return Object.fromEntries(names.map((name) => [name, readFileSync(join(folder, name), 'utf8')]));
}
