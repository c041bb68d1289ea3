import { readFileSync } from 'node:fs';
import { Ajv } from 'ajv';
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { DEFAULT_CONFIG, parseConfig } from '../../cli/config/index.js';
import { EMITS } from '../../generator/emit/index.js';
import { DiagnosticError } from '../../generator/diagnostics/index.js';
import type { Diagnostic } from '../../generator/diagnostics/index.js';
import { sized } from '../support/size.js';

function diagnosticsOf(config: unknown): readonly Diagnostic[] {
  try {
    parseConfig(typeof config === 'string' ? config : JSON.stringify(config), 'mcp-codegen.json');
    return [];
  } catch (error) {
    if (error instanceof DiagnosticError) return error.diagnostics;
    throw error;
  }
}

describe('parseConfig', () => {
  it('uses the defaults for an empty object', () => {
    expect(parseConfig('{}', 'x')).toEqual(DEFAULT_CONFIG);
  });

  it('reads every setting', () => {
    const config = {
      $schema: './node_modules/mcp-codegen/schema/mcp-codegen.schema.json',
      revisions: ['2025-11-25'],
      schemas: [
        { name: 'apps', source: './apps.json', refs: { 'https://example.com/a': './a.json' } },
        { name: 'mine', source: './mine.json' },
      ],
      tools: [
        { name: 'math', source: './math.json' },
        { name: 'weather', server: 'https://example.com/mcp' },
        { name: 'local', server: ['node', 'server.js'] },
      ],
      out: 'src/mcp',
      emit: ['types', 'zod'],
      errata: false,
    };
    const { $schema: _, ...settings } = config;
    expect(parseConfig(JSON.stringify(config), 'x')).toEqual(settings);
  });

  it.each<[string, unknown, { pointer?: string; message: string; help?: string }]>([
    ['text that is not JSON', '{', { message: 'not JSON' }],
    ['a list', [], { pointer: '', message: 'Must be an object.' }],
    [
      'a setting that is misspelt',
      { revision: [] },
      {
        pointer: '/revision',
        message: 'Unknown setting "revision"',
        help: 'Did you mean "revisions"?',
      },
    ],
    [
      'a setting like no other',
      { colour: 1 },
      { pointer: '/colour', message: 'Unknown setting "colour"', help: 'Known: $schema, ' },
    ],
    [
      'a revision that is not bundled',
      { revisions: ['2025-11-25', '2025-11-26'] },
      { pointer: '/revisions/1', message: 'Unknown value', help: 'Did you mean "2025-11-25"?' },
    ],
    [
      'a revision that is a number',
      { revisions: [2025] },
      { pointer: '/revisions/0', message: '' },
    ],
    ['a text for a list', { emit: 'zod' }, { pointer: '/emit', message: 'Must be a list.' }],
    [
      'an emit like no other',
      { emit: ['zot'] },
      { pointer: '/emit/0', message: '"zot"', help: '"zod"' },
    ],
    [
      'an empty list of emits',
      { emit: [] },
      { pointer: '/emit', message: 'empty', help: '["types"]' },
    ],
    [
      'no revisions and nothing else',
      { revisions: [], schemas: [] },
      { pointer: '/revisions', message: 'Nothing is left', help: 'Leave "revisions" out' },
    ],
    ['an empty folder', { out: '' }, { pointer: '/out', message: 'non-empty' }],
    ['a text for a boolean', { errata: 'no' }, { pointer: '/errata', message: 'true or false' }],
    [
      'a schema without a name',
      { schemas: [{ source: 'x' }] },
      { pointer: '/schemas/0', message: '"name" is missing' },
    ],
    [
      'a name that leaves the folder',
      { schemas: [{ name: '../x', source: 'x' }] },
      { pointer: '/schemas/0/name', message: '"../x"' },
    ],
    [
      'a reserved name',
      { schemas: [{ name: 'support', source: 'x' }] },
      { pointer: '/schemas/0/name', message: '"support"', help: 'no reserved name' },
    ],
    ['a key from the prototype', '{"__proto__": 1}', { pointer: '/__proto__', message: '' }],
  ])('refuses %s', (_, config, expected) => {
    const found = diagnosticsOf(config);
    expect(found).toHaveLength(1);
    const [{ code, pointer, message, help }] = found as [Diagnostic];
    expect({ code, pointer }).toEqual({ code: 'bad-config', pointer: expected.pointer });
    expect(message).toContain(expected.message);
    if (expected.help) expect(help).toContain(expected.help);
  });

  it('reports all errors at once', () => {
    const pointers = diagnosticsOf({ out: 1, emit: ['x', 'zod', 'y'] }).map(
      ({ pointer }) => pointer,
    );
    expect(pointers).toEqual(['/out', '/emit/0', '/emit/1'].map((it) => it.replace('/1', '/2')));
  });

  it('escapes control characters', () => {
    const [found] = diagnosticsOf({ '\u001b[2J': 1 });
    expect(found?.message).not.toContain('\u001b');
  });
});

describe('schema/mcp-codegen.schema.json', () => {
  const schema = JSON.parse(
    readFileSync(new URL('../../schema/mcp-codegen.schema.json', import.meta.url), 'utf8'),
  ) as object;
  const validate = new Ajv({ strict: false }).compile(schema);
  const anything = fc.oneof(
    fc.constantFrom<unknown>('', 'zod', '2025-11-25', 'a/b', true, 1, null, {}),
    fc.array(fc.constantFrom<unknown>('zod', 'types', '2025-11-25', 'ext-tasks', 'x', 1), {
      maxLength: 2,
    }),
    fc.array(
      fc.record(
        {
          name: fc.constantFrom<unknown>('a', '..', 'manifest.json', '', 1),
          source: fc.constantFrom<unknown>('x', 'http://x', '', 1),
          server: fc.constantFrom<unknown>(
            'http://x',
            'x',
            'a://x',
            '',
            ['x', ''],
            [''],
            ['x', 1],
            [],
            1,
          ),
          file: fc.constantFrom<unknown>('x', 'http://x', '', 1),
          refs: fc.constantFrom<unknown>({}, { 'urn:x': 'y' }, { 'urn:x': '' }, { a: 1 }, [], 'x'),
          more: fc.constant(1),
        },
        { requiredKeys: [] },
      ),
      { maxLength: 2 },
    ),
  );
  const settings = [
    ...['$schema', 'revisions', 'schemas', 'tools', 'locks', 'out', 'emit', 'errata', 'other'],
  ];
  const config = fc.dictionary(fc.constantFrom(...settings), anything, { maxKeys: 2 });

  it('lists the files that can be emitted', () => {
    const file = new URL('../../schema/mcp-codegen.schema.json', import.meta.url);
    const { properties } = JSON.parse(readFileSync(file, 'utf8')) as {
      properties: { emit: { items: { enum: unknown } } };
    };
    expect(properties.emit.items.enum).toEqual(EMITS);
  });

  it('accepts the same configurations as the parser', () => {
    fc.assert(
      fc.property(config, (value) => {
        expect(diagnosticsOf(value).length === 0).toBe(validate(value));
      }),
      { numRuns: sized(2000) },
    );
  });
});
