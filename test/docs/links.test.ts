import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { posix } from 'node:path';

import { describe, expect, it } from 'vitest';

import { pages, root } from './snippets.js';

const documents = [
  ...pages(),
  'docs/api-surface.md',
  'CONTRIBUTING.md',
  'CHANGELOG.md',
  'SECURITY.md',
  '.changeset/README.md',
  'create/README.md',
  'runtime/CHANGELOG.md',
  'bench/README.md',
  'schema/README.md',
  ...readdirSync(`${root}docs/decisions`).map((name) => `docs/decisions/${name}`),
];

const textOf = (page: string): string => readFileSync(root + page, 'utf8');
const withoutCode = (text: string): string => text.replace(/^ *```[^]*?^ *```$/gm, '');

/** The names that GitHub gives to the headings of a page. */
function anchorsOf(page: string): string[] {
  return [...withoutCode(textOf(page)).matchAll(/^#+ (.*)$/gm)].map(([, heading = '']) =>
    heading
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N}\s_-]/gu, '')
      .replaceAll(' ', '-'),
  );
}

/** The links of a page that lead nowhere. */
function broken(page: string): string[] {
  const text = withoutCode(textOf(page));
  const targets = [...text.matchAll(/\]\(([^)\s]+)\)|^\[[^\]]+\]: (\S+)$/gm)];
  return targets
    .map(([, inline, below]) => inline ?? below ?? '')
    .filter((target) => {
      if (/^https?:/.test(target)) return false;
      const [path = '', anchor] = target.split('#');
      const file = path === '' ? page : posix.join(posix.dirname(page), path);
      if (!existsSync(root + file)) return true;
      return anchor !== undefined && !anchorsOf(file).includes(anchor);
    });
}

describe('the links of the pages', () => {
  it.each(documents)('%s leads to files and headings that exist', (page) => {
    expect(broken(page)).toEqual([]);
  });

  // Below a folder: a scaffolded project has its tests in test/ itself.
  it.each(documents)('%s names tests that exist', (page) => {
    const named = textOf(page).match(/\btest\/[\w-]+\/[\w/-]+(?:\.\w+)*\.ts\b/g) ?? [];
    expect(named.filter((path) => !existsSync(root + path))).toEqual([]);
  });

  it('docs/README.md lists every page', () => {
    const index = textOf('docs/README.md');
    const listed = readdirSync(`${root}docs`).filter((name) => index.includes(`(${name})`));
    expect(['README.md', ...listed].sort()).toEqual(
      readdirSync(`${root}docs`)
        .filter((name) => name.endsWith('.md'))
        .sort(),
    );
  });
});
