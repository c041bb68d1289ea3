import { readdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { Ajv } from 'ajv';
import { describe, expect, it } from 'vitest';
import { root } from '../docs/snippets.js';

const read = (path: string): unknown => JSON.parse(readFileSync(join(root, path), 'utf8'));
const FOLDER = join(root, '.changeset');
const PACKAGES = ['mcp-codegen', '@mcp-codegen/runtime', 'create-mcp-codegen'];

describe('the changesets', () => {
  it('have a configuration that changesets accepts', () => {
    const ajv = new Ajv({ strict: false });
    const schema = createRequire(import.meta.url)('@changesets/config/schema.json') as object;
    const validate = ajv.compile(schema);
    const config = read('.changeset/config.json');
    expect(validate(config), JSON.stringify(validate.errors)).toBe(true);
    expect(validate({ ...(config as object), fixed: 'all' })).toBe(false);
    expect(config).toMatchObject({ fixed: [PACKAGES], access: 'public', baseBranch: 'main' });
  });

  // Changesets finds packages by the workspaces alone, and the tool is in the root.
  it('find every package in the workspaces', () => {
    const { workspaces } = read('package.json') as { readonly workspaces: readonly string[] };
    const names = ['.', 'runtime', 'create'].map((folder) => {
      expect(workspaces).toContain(folder);
      return (read(`${folder}/package.json`) as { readonly name: string }).name;
    });
    expect(names).toEqual(PACKAGES);
  });

  const pending = readdirSync(FOLDER).filter((name) => /(?<!README)\.md$/.test(name));

  it.for([...pending, 'README.md'])('%s names packages of ours, and says something', (name) => {
    const text = readFileSync(join(FOLDER, name), 'utf8');
    const [, head = '', body = ''] = /^---\n(.*?)^---\n(.*?)(?:^```$|$(?![^]))/ms.exec(text) ?? [];
    const named = head.trim().split('\n');
    expect(named.length).toBeGreaterThan(0);
    for (const line of named) {
      const [, pkg = '', kind] = /^['"]([^'"]+)['"]: (.*)$/.exec(line) ?? [];
      expect(PACKAGES, line).toContain(pkg);
      expect(['patch', 'minor', 'major'], line).toContain(kind);
    }
    expect(body.trim()).not.toBe('');
  });
});
