import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { readContents } from '../../scripts/site/contents.js';
import { llmsText } from '../../scripts/site/llms.js';
import { mapLinks, slugOf, titleOf } from '../../scripts/site/markdown.js';
import { NAVIGATION, sidebarOf } from '../../scripts/site/navigation.js';
import { collectPages, sitePathOf } from '../../scripts/site/pages.js';
import { writePages } from '../../scripts/site/write.js';

const ROOT = join(import.meta.dirname, '../..');

let folder: string;
beforeEach(() => (folder = mkdtempSync(join(tmpdir(), 'mcp-codegen-site-'))));
afterEach(() => rmSync(folder, { recursive: true }));

function put(files: Readonly<Record<string, string>>): void {
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), text);
  }
}

describe('the pages of the site', () => {
  it('are those that are asked for, and all that they link to', () => {
    put({
      'README.md':
        '# R\n\n[a](docs/a.md#x) ![i](docs/i.svg) [web](https://example.com/a.md) [here](#r)',
      'docs/a.md':
        '# A\n\n[up](../README.md), [code](../src/x.d.ts), [folder](../src).\n\n[b]: ../src/b.md',
      'docs/i.svg': '<svg/>',
      'src/README.md': '# S',
      'src/b.md': '# B',
      'src/x.d.ts': 'const text = "```";\n',
    });
    const { pages, images, files } = collectPages(folder, ['README.md']);
    expect(Object.fromEntries(pages)).toEqual({
      'index.md':
        '# R\n\n[a](./docs/a.md#x) ![i](./docs/i.svg) [web](https://example.com/a.md) [here](#r)',
      'docs/a.md':
        '# A\n\n[up](../index.md), [code](../source/src/x-d-ts.md), [folder](../src/index.md).\n\n[b]: ../src/b.md',
      'src/index.md': '# S',
      'src/b.md': '# B',
      'source/src/x-d-ts.md':
        '---\noutline: false\nsearch: false\n---\n\n# src/x.d.ts\n\n````ts\nconst text = "```";\n````\n',
    });
    expect(images).toEqual(['docs/i.svg']);
    expect([...files].sort()).toEqual(
      ['README.md', 'docs/a.md', 'docs/i.svg', 'src/README.md', 'src/b.md', 'src/x.d.ts'].sort(),
    );
  });

  it.each([
    ['a file that is missing', '[a](missing.md)', 'README.md links to missing.md'],
    ['a folder without README.md', '[a](empty)', 'README.md links to empty'],
    ['a file outside', '[a](../../../etc/hostname)', 'README.md links to ../../../etc/hostname'],
  ])('do not link to %s', (_, text, message) => {
    put({ 'README.md': text, 'empty/x.ts': '' });
    expect(() => collectPages(folder, ['README.md'])).toThrow(message);
  });

  it('are written where they changed, and removed where they are gone', () => {
    writePages(
      folder,
      new Map([
        ['a.md', 'a'],
        ['b/c.md', 'c'],
      ]),
    );
    writeFileSync(join(folder, 'image.svg'), '');
    writePages(folder, new Map([['a.md', 'new']]));
    expect(readdirSync(folder).sort()).toEqual(['a.md', 'b', 'image.svg']);
    expect(readdirSync(join(folder, 'b'))).toEqual([]);
    expect(readFileSync(join(folder, 'a.md'), 'utf8')).toBe('new');
  });
});

describe('links in Markdown', () => {
  it('are replaced outside of code', () => {
    const text =
      '[a](x) `[b](x)` ``[c](`x)``\n\n```sh\n[d](x)\n```\n\n  ```ts\n  [e](x)\n  ```\n[f](x)';
    expect(mapLinks(text, () => 'y')).toBe(
      text.replace('[a](x)', '[a](y)').replace('[f](x)', '[f](y)'),
    );
  });

  it('lead to the anchors of GitHub', () => {
    expect(slugOf('`--json`: one *document*, 2026-07-28')).toBe('--json-one-document-2026-07-28');
  });

  it('have titles without marks', () => {
    expect(titleOf('text\n\n# The `x` of y\n## z')).toBe('The x of y');
    expect(() => titleOf('## z')).toThrow('No title');
  });
});

describe('the contents', () => {
  const contents = readContents(ROOT);
  const listed = contents.sections.flatMap(({ entries }) => entries.map(({ path }) => path));

  it('are every page of docs/ once, in the order of the index', () => {
    const pages = readdirSync(join(ROOT, 'docs')).filter((name) => /^(?!README).*\.md$/.test(name));
    expect([...listed].sort()).toEqual(
      [...pages.map((name) => `docs/${name}`), 'docs/decisions/README.md'].sort(),
    );
    expect(listed[0]).toBe('docs/generating.md');
    expect(contents.sections[0]?.title).toBe('Generate');
    expect(contents.sections[0]?.entries[0]).toEqual({
      path: 'docs/generating.md',
      title: 'Generating',
      purpose: 'generate TypeScript for revisions and schemas',
    });
  });

  it('are every decision once', () => {
    const pages = readdirSync(join(ROOT, 'docs/decisions')).filter((name) => name !== 'README.md');
    expect(
      contents.decisions.map(({ path }) => path.slice('docs/decisions/'.length)).sort(),
    ).toEqual(pages.sort());
  });

  it('are the sidebar', () => {
    const links = sidebarOf(contents).flatMap(({ items = [] }) => items.map(({ link }) => link));
    const decisions = contents.decisions.map(({ path }) => path);
    for (const path of [...listed, ...decisions].filter((each) => !each.endsWith('README.md'))) {
      expect(links).toContain(`/${sitePathOf(path).replace(/\.md$/, '')}`);
    }
    expect(links.indexOf('/docs/generating')).toBeLessThan(links.indexOf('/docs/servers'));
    expect(JSON.stringify(NAVIGATION)).toContain('/reference/2026-07-28');
  });

  it('are llms.txt', () => {
    const text = llmsText('A summary.', contents);
    expect(text).toMatch(/^# mcp-codegen\n\n> A summary\.\n\n## Start\n/);
    const paths = [...text.matchAll(/^- \[.+\]\((.+)\): .+$/gm)].map(([, path]) => path);
    expect(paths).toEqual(['README.md', ...listed, ...contents.decisions.map(({ path }) => path)]);
  });
});
