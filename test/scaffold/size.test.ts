import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import { planProject } from '../../generator/plan/project.js';
import { SERVER } from '../../generator/scaffold/index.js';
import { memoryFolder } from '../../generator/write/index.js';
import { COMBINATIONS, MINIMAL } from '../templates/combinations.js';

const root = fileURLToPath(new URL('../..', import.meta.url));

function linesBelow(folder: string): number {
  return readdirSync(join(root, folder), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && !/node_modules|\bdist\b/.test(entry.parentPath))
    .map((entry) => readFileSync(join(entry.parentPath, entry.name), 'utf8').split('\n').length - 1)
    .reduce((all, lines) => all + lines, 0);
}

it('the templates and what makes projects of them take at most 5,000 lines', () => {
  const lines = linesBelow('templates') + linesBelow('generator/scaffold');
  expect(lines).toBeGreaterThan(1_000);
  expect(lines).toBeLessThanOrEqual(5_000);
});

it.each([...COMBINATIONS, ...MINIMAL])(
  'a server $name has at most $most files',
  async ({ name, choices, most }) => {
    const plan = await planProject({
      ...{ template: SERVER, choices, name, folder: memoryFolder(), force: false },
      runtime: '^1.0.0',
    });
    const paths = plan.map(({ path }) => path);
    const hint = 'mostFiles in test/templates/combinations.ts counts the files of a project';
    expect(paths.length, `${hint}:\n${paths.join('\n')}\n`).toBeLessThanOrEqual(most);
  },
);
