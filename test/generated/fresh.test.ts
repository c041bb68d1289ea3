import { join } from 'node:path';
import { expect, it } from 'vitest';
import { DEFAULT_EMITS } from '../../generator/emit/index.js';
import { packageRoot, REVISIONS } from '../../generator/read/load/index.js';
import { generate } from '../../generator/plan/generate.js';
import { diskFolder, staleFiles } from '../../generator/write/index.js';

it('the committed files equal the generated ones (to fix: npm run generate)', async () => {
  const { plan, diagnostics } = await generate({
    inputs: REVISIONS.map((revision) => ({ revision })),
    // The runtime has the standard schemas of every revision.
    emits: [...DEFAULT_EMITS, 'standard'],
    errata: true,
    folder: diskFolder(join(packageRoot(), 'generated')),
    force: false,
    prune: true,
  });
  expect(diagnostics).toEqual([]);
  expect(staleFiles(plan)).toEqual([]);
}, 60_000);
