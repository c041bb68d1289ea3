import { describe, expect, it } from 'vitest';
import { changesSince, versionOf } from '../../generator/scaffold/index.js';

const CHANGELOG = [
  '# mcp-codegen',
  '## 0.3.0',
  '### Minor Changes\n\n- Adds c',
  '## 0.2.0',
  '## 0.1.1',
  '### Patch Changes\n\n- Mends b',
  '## 0.1.0',
  'The first version.\n',
].join('\n\n');

const THIRD = '## 0.3.0\n\n### Minor Changes\n\n- Adds c';
const SECOND = '## 0.1.1\n\n### Patch Changes\n\n- Mends b';

describe('the changes since a version', () => {
  it.each([
    ['0.1.0', ['# mcp-codegen', THIRD, SECOND]],
    ['0.2.0', ['# mcp-codegen', THIRD]],
    ['0.3.0', []],
    ['0.10.0', []],
    [undefined, ['# mcp-codegen', THIRD, SECOND, '## 0.1.0\n\nThe first version.']],
  ])('%s are the newer sections that say something', (version, sections) => {
    expect(changesSince(CHANGELOG, version)).toBe(sections.join('\n\n'));
  });
});

describe('the version in a dependency', () => {
  it.each([
    ['^0.3.0', '0.3.0'],
    ['^0.3.0 || ^0.4.0', '0.3.0'],
    ['latest', undefined],
    ['file:vendor/mcp-codegen-runtime-0.3.0.tgz', '0.3.0'],
    ['file:../node-22.19.0/mcp-codegen-runtime-0.3.0.tgz', '0.3.0'],
    ['http://127.0.0.1:4873/@mcp-codegen/runtime/-/runtime-0.3.0.tgz', '0.3.0'],
    ['file:../node-22.19.0/runtime', undefined],
  ])('%s is %s', (specifier, version) => expect(versionOf(specifier)).toBe(version));
});
