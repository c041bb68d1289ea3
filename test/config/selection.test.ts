import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { select } from '../../cli/selection.js';

const folder = mkdtempSync(join(tmpdir(), 'mcp-codegen-selection-'));
afterAll(() => rmSync(folder, { recursive: true }));

/** The locations of a configuration's schemas, relative to `cwd`. */
function locations(sources: readonly string[], cwd: string): string[] {
  const schemas = sources.map((source, index) => ({ name: `s${String(index)}`, source }));
  writeFileSync(join(folder, 'mcp-codegen.json'), JSON.stringify({ revisions: [], schemas }));
  const args = { config: join(folder, 'mcp-codegen.json') } as Parameters<typeof select>[0];
  return select(args, cwd).inputs.map((input) => ('location' in input ? input.location : ''));
}

describe('a schema of mcp-codegen.json', () => {
  it.each([[folder], [tmpdir()], ['/']])('is found from %s', (cwd) => {
    const absolute = join(tmpdir(), 'elsewhere', 'schema.json');
    const sources = ['schema.json', './a/../schema.json', '../schema.json', absolute];
    expect(locations(sources, cwd).map((location) => resolve(cwd, location))).toEqual(
      sources.map((source) => resolve(folder, source)),
    );
  });

  it('is read from the network only for a URL', () => {
    const urls = ['https://example.com/a/schema.json?b=c', 'http://127.0.0.1:1/x.json'];
    expect(locations(urls, folder)).toEqual(urls);
    expect(locations(['urn:schema'], folder)).toEqual(['urn:schema']);
  });
});
