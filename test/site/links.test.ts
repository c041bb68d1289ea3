import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { brokenLinks } from '../../scripts/site/links.js';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'mcp-codegen-links-'));
  mkdirSync(join(folder, 'docs'));
  writeFileSync(join(folder, 'index.html'), '<h1 id="top">Start</h1>');
  writeFileSync(join(folder, 'x.js'), '');
  writeFileSync(join(folder, 'docs/a.html'), '<p class="x" id="type/A&amp;B">');
});
afterEach(() => rmSync(folder, { recursive: true }));

const found = (text: string, base?: string): string[] => {
  writeFileSync(join(folder, 'docs/index.html'), text);
  return brokenLinks(folder, base);
};

it.each([
  '<a href="../">',
  '<a href="./a">',
  '<a class="x" href="/docs/a.html#type%2FA%26B">',
  '<a href="#own"><p id="own">',
  '<a href="https://example.com/missing">',
  '<a href="mailto:a@example.com">',
  '<script src="/x.js">',
  '<link rel="icon" href="data:,">',
])('a link leads somewhere: %s', (text) => {
  expect(found(text)).toEqual([]);
});

it.each([
  ['<a href="./missing">', './missing'],
  ['<a href="a#type/C">', 'a#type/C'],
  ['<a href="#own">', '#own'],
  ['<a href="./100%">', './100%'],
  ['<a href="a#100%">', 'a#100%'],
  ['<a href="../x.js#place">', '../x.js#place'],
  ['<a href="../../x.js">', '../../x.js'],
  ['<img alt="" src="./missing.svg">', './missing.svg'],
  ['<script type="module" src="/y.js">', '/y.js'],
  ['<link rel="stylesheet" href="/y.css">', '/y.css'],
])('a link leads nowhere: %s', (text, target) => {
  expect(found(text)).toEqual([`docs/index.html links to ${target}, which does not exist.`]);
});

it('links begin with the path of the site', () => {
  expect(found('<a href="/site/docs/a">', '/site/')).toEqual([]);
  expect(found('<a href="/docs/a">', '/site/')).toHaveLength(1);
});
