import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';

const root = fileURLToPath(new URL('../..', import.meta.url));
const text = readFileSync(`${root}docs/tasks.md`, 'utf8');
const diagrams = [...text.matchAll(/```mermaid\n(sequenceDiagram\n[^`]*)```/g)].map(
  ([, diagram = '']) => diagram.split('\n').filter((line) => line.includes('>>')),
);

it('docs/tasks.md draws the path of a call in each of the two dialects', () => {
  expect(diagrams).toHaveLength(2);
  for (const arrows of diagrams) expect(arrows.length).toBeGreaterThan(10);
});

it.each(diagrams.flat().map((line) => [line.trim()]))('%s names a file that exists', (arrow) => {
  const [, file] = /\((runtime\/[\w./-]+\.ts)\)$/.exec(arrow) ?? [];
  expect(file).toBeDefined();
  expect(existsSync(`${root}${file}`)).toBe(true);
});
