import type { Bench } from '../bench.js';
import { measured, OURS } from '../measured.js';
import { sizeOf } from '../validate/footprint.js';
import { root } from '../report/results.js';

/** The bundles of one schema, by who wrote it. */
const ENTRIES: Readonly<Record<string, string>> = {
  [OURS]: "export { ToolSchema } from './generated/2025-11-25/zod.js';\n",
  'SDK v2': "export { ToolSchema } from '@modelcontextprotocol/core';\n",
  'SDK v1': "export { ToolSchema } from '@modelcontextprotocol/sdk/types.js';\n",
  'Zod, one object by hand':
    "import * as z from 'zod';\nexport const ToolSchema = z.object({ name: z.string() });\n",
};

/** What a page downloads for one Zod schema, most of which is Zod. */
export const zodSize: Bench = {
  name: 'generate/zod',
  run: async () => {
    const bars: Record<string, readonly number[]> = {};
    for (const [name, entry] of Object.entries(ENTRIES)) {
      bars[name] = [(await sizeOf(entry, root)) / 1_000];
    }
    const row = 'bundle of one Zod schema, min+gz';
    return [measured({ row, unit: 'KB', better: 'less', bars, most: 32 })];
  },
};
