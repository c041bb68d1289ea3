import fc from 'fast-check';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { stringify } from 'yaml';
import { DiagnosticError } from '../../generator/diagnostics/index.js';
import { DEFAULT_LIMITS, loadSchema, readIfPresent } from '../../generator/read/load/index.js';
import { plain } from './differential.js';
import { drawnValue } from './drawn.js';

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'mcp-codegen-yaml-'));
});
afterAll(() => rmSync(folder, { recursive: true }));

function fileWith(text: string, name = 'orders.schema.yaml'): string {
  const file = join(folder, name);
  writeFileSync(file, text);
  return file;
}

const SCHEMA = `
$schema: https://json-schema.org/draft/2020-12/schema
$defs:
  Order: &order
    type: object
    required: [id]
    properties:
      id: { type: string, pattern: '^[0-9]+$' } # not a comment of JSON
      "on": { enum: [yes, "no", 1e3, 0x10] }
  Copy: *order
`;

describe('a schema in YAML', () => {
  it.each(['orders.schema.yaml', 'orders.yml', 'ORDERS.YAML'])(
    'is read by its ending: %s',
    async (name) => {
      const { document, diagnostics } = await loadSchema(fileWith(SCHEMA, name));
      expect(diagnostics).toEqual([]);
      expect(document.name.toLowerCase()).toBe('orders');
      expect([...document.definitions.keys()]).toEqual(['Order', 'Copy']);
      expect(document.definitions.get('Copy')?.node).toMatchObject({
        properties: [{ name: 'id' }, { name: 'on', node: { values: ['yes', 'no', 1000, 16] } }],
      });
    },
  );

  it('is what its JSON is', () => {
    fc.assert(
      fc.property(drawnValue.map(plain), (value) => {
        const text = readIfPresent(fileWith(stringify(value)), DEFAULT_LIMITS)?.text ?? '';
        expect(JSON.parse(text)).toEqual(value);
      }),
      { seed: 31 },
    );
  });

  it('may merge a mapping into others, and use it often', () => {
    const text = [
      'properties:',
      '  first: &text { type: string, minLength: 1 }',
      '  merged: { <<: *text, minLength: 2 }',
      ...Array.from({ length: 150 }, (_, index) => `  p${index}: *text`),
    ].join('\n');
    const json = JSON.parse(readIfPresent(fileWith(text), DEFAULT_LIMITS)?.text ?? '') as {
      properties: Record<string, unknown>;
    };
    expect(json.properties['merged']).toEqual({ type: 'string', minLength: 2 });
    expect(json.properties['p149']).toEqual({ type: 'string', minLength: 1 });
  });

  it('may have tags that JSON does not have, without a warning of the process', () => {
    const warn = vi.spyOn(process, 'emitWarning').mockReturnValue();
    const text = readIfPresent(fileWith('x-file: !include a.yaml'), DEFAULT_LIMITS)?.text;
    expect(text).toBe('{"x-file":"a.yaml"}');
    expect(warn).not.toHaveBeenCalled();
    warn.mockRestore();
  });

  const bomb = `a0: &a0 [x]\n${Array.from({ length: 30 }, (_, n) => `a${n + 1}: &a${n + 1} [${`*a${n}, `.repeat(9)}*a${n}]`).join('\n')}`;

  it.each([
    ['is no YAML', 'a: [1', 'not-json', /^The text is not YAML: .* at line 1/],
    ['has a key twice', '$defs:\n  A: {}\n  A: {}', 'not-json', /unique.*line 3/],
    ['has a list as a key', '? [a]\n: 1', 'not-json', /not YAML/],
    [
      'has several documents',
      'a: 1\n---\nb: 1',
      'not-json',
      /^The file has multiple YAML documents\. /,
    ],
    ['has an alias of nothing', 'a: *b', 'not-json', /not YAML/],
    ['contains itself', '$defs: &a { A: *a }', 'not-json', /an alias contains itself/],
    ['has a number that JSON does not have', 'maximum: .inf', 'not-json', /no number Infinity/],
    ['multiplies by aliases', bomb, 'not-json', /^Aliases write out one place more than 1,000 /],
    ['is empty', '', 'not-json', /^The text is not YAML: it is empty\.$/],
    ['has only a comment', '# later', 'not-a-schema', /not a JSON object/],
  ])('is refused when it %s', async (_, text, code, message) => {
    const error: unknown = await loadSchema(fileWith(text)).catch((reason: unknown) => reason);
    expect(error).toBeInstanceOf(DiagnosticError);
    const [diagnostic] = (error as DiagnosticError).diagnostics;
    expect(diagnostic).toMatchObject({ code, source: join(folder, 'orders.schema.yaml') });
    expect(diagnostic?.message).toMatch(message);
    expect(diagnostic?.message.split('\n')).toHaveLength(1);
  });
});
