import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { ROOMS, roomOf, violations } from './support/rooms.js';

const root = fileURLToPath(new URL('..', import.meta.url));
const TREES = ['generator', 'generated', 'runtime', 'templates'];

function filesBelow(folder: string): string[] {
  if (!existsSync(root + folder)) return [];
  return readdirSync(root + folder, { recursive: true, encoding: 'utf8' })
    .map((path) => `${folder}/${path.replaceAll('\\', '/')}`)
    .filter((path) => /\.[cm]?tsx?$/.test(path) && !path.includes('/node_modules/'));
}

const files = TREES.flatMap(filesBelow);

describe('the rooms', () => {
  it.each(TREES.filter((tree) => filesBelow(tree).length > 0))(
    'of %s import only what they may',
    (tree) => {
      const found = filesBelow(tree).flatMap((file) =>
        violations(file, readFileSync(root + file, 'utf8')),
      );
      expect(found).toEqual([]);
    },
  );

  it.each(
    ROOMS.map(({ folder }) => folder)
      .filter((folder) => folder !== 'generator' && folder !== 'generated')
      .filter((folder) => files.some((file) => roomOf(file)?.folder === folder)),
  )('%s says in a README what it is', (folder) => {
    expect(existsSync(`${root}${folder}/README.md`)).toBe(true);
  });
});

describe('the rules', () => {
  it.each([
    ['generator/ir/x.ts', "import { quote } from '../diagnostics/index.js';"],
    ['generator/emit/x.ts', "import type { Source } from '../load/index.js';"],
    ['generator/emit/zod/x.ts', "const load = () => import('../../load/index.js');"],
    ['generator/emit/x.ts', "import { readFileSync } from 'node:fs';"],
    ['generator/diff/x.ts', "export * from '../write/index.js';"],
    ['generator/cli/main.ts', 'process.exit(1);'],
    ['generator/load/x.ts', 'const folder = process.cwd();'],
    ['generator/load/x.ts', "import { x } from '../../generated/2025-11-25/types.js';"],
    ['generator/pipeline.ts', "import { x } from '../runtime/tasks/index.js';"],
    ['generated/2025-11-25/x.ts', "import Ajv from 'ajv';"],
    ['runtime/tasks/x.ts', "import { Server } from '@modelcontextprotocol/server';"],
    ['runtime/tasks/x.ts', "import { memoryStore } from '../stores/memory/index.js';"],
    ['runtime/server/x.ts', "import { generate } from '../../generator/index.js';"],
    ['elsewhere/x.ts', ''],
  ])('forbid in %s: %s', (file, text) => {
    expect(violations(file, text)).toHaveLength(1);
  });

  it.each([
    ['generator/emit/zod/x.ts', "import type { Node } from '../../ir/index.js';"],
    ['generator/write/x.ts', "import { readFileSync } from 'node:fs';"],
    ['generator/cli/bin.ts', 'process.exitCode = 0;'],
    ['generator/emit/x.ts', "// process.exit\nconst text = 'process.exit'; task.process();"],
    ['runtime/server/x.ts', "import { Server } from '@modelcontextprotocol/server';"],
    ['runtime/server/x.ts', "import type { Tool } from '../../generated/2025-11-25/types.js';"],
    ['generated/2025-11-25/zod.ts', "import * as z from 'zod';"],
  ])('allow in %s: %s', (file, text) => {
    expect(violations(file, text)).toEqual([]);
  });
});
