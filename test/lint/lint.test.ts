import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { DiagnosticError, PLAIN } from '../../generator/diagnostics/index.js';
import {
  DEFAULT_HOSTS,
  findingsAsSarif,
  findingsAsText,
  HOSTS,
  hostMatchers,
  lintTools,
} from '../../generator/contracts/lint/index.js';
import { GOOD } from './examples.js';

const hosts = HOSTS.map(({ id }) => id);
const UNION = { ...GOOD, inputSchema: { ...GOOD.inputSchema, oneOf: [{ required: ['size'] }] } };

describe('lintTools', () => {
  it('examines anything that a server may list', () => {
    const schema = fc.letrec((tie) => ({
      schema: fc.dictionary(
        fc.constantFrom(...KEYWORDS),
        fc.oneof(fc.jsonValue(), tie('schema'), fc.array(tie('schema'), { maxLength: 2 })),
        { maxKeys: 4 },
      ),
    })).schema;
    const tool = fc.record({ name: fc.string(), inputSchema: schema, outputSchema: schema });
    fc.assert(
      fc.property(fc.array(fc.oneof(tool, fc.jsonValue()), { maxLength: 3 }), (tools) => {
        for (const { pointer, found, mend } of lintTools(tools, { hosts })) {
          expect(pointer).toMatch(/^\/tools/);
          expect(found).toMatch(/\.$/);
          expect(mend).toMatch(/\.$/);
        }
      }),
    );
  });

  it('refuses schemas that nest too deeply, and follows references without end', () => {
    let deep: object = {};
    for (let level = 0; level < 200; level += 1) deep = { items: deep };
    expect(() => lintTools([{ ...GOOD, inputSchema: deep }])).toThrow(DiagnosticError);

    const $defs = { A: { items: { $ref: '#/$defs/B' } }, B: { $ref: '#/$defs/A' } };
    const refs = [{ $ref: '#/$defs/A' }, { $ref: '#/$defs/C' }, { $ref: '%' }, { $ref: 'x.json' }];
    const inputSchema = { type: 'object', properties: { ...refs }, $defs: { ...$defs, C: {} } };
    const found = lintTools([{ ...GOOD, inputSchema }], { hosts: ['gemini'] })
      .filter(({ rule }) => rule === 'gemini/reference')
      .map(({ pointer, found: what }) => [pointer.replace('/tools/0/inputSchema', ''), what]);
    expect(Object.fromEntries(found)).toEqual({
      '/properties/0/$ref': 'A schema refers to itself.',
      '/properties/1/$ref': 'A schema refers to another.',
      '/properties/2/$ref': 'A schema refers to another.',
      '/properties/3/$ref': 'A schema refers to another.',
      '/$defs/A/items/$ref': 'A schema refers to itself.',
      '/$defs/B/$ref': 'A schema refers to itself.',
    });
  });

  it('follows long chains of references, and finds those that come back', () => {
    const count = 5_000;
    const chain: Record<string, object> = {};
    for (let index = 0; index < count; index += 1) {
      chain[`A${String(index)}`] = { items: { $ref: `#/$defs/A${String(index + 1)}` } };
    }
    const last = { [`A${String(count)}`]: { type: 'string' } };
    const properties = { first: { $ref: '#/$defs/A0' } };
    const schemaOf = (end: object) => ({
      ...GOOD,
      inputSchema: { type: 'object', properties, $defs: { ...chain, ...end } },
    });
    const found = [last, { [`A${String(count)}`]: { $ref: '#' } }].map((end) =>
      lintTools([schemaOf(end)], { hosts: ['gemini'] }).filter(
        ({ found: what }) => what === 'A schema refers to itself.',
      ),
    );
    expect(found.map(({ length }) => length)).toEqual([0, count + 2]);
  });

  it('knows its hosts, and leaves out the strict mode unless it is asked for', () => {
    expect(() => lintTools([GOOD], { hosts: ['other'] })).toThrow(/no host "other": mcp, claude, /);
    expect(DEFAULT_HOSTS).not.toContain('openai-strict');
    const optional = { ...GOOD, inputSchema: { ...GOOD.inputSchema, required: [] } };
    expect(lintTools([optional])).toEqual([]);
    expect(lintTools([optional], { hosts: ['openai-strict'] })).toHaveLength(1);
  });
});

describe('findings', () => {
  it('are said once for all hosts that find them, on lines that a name cannot break', () => {
    const tool = { ...UNION, name: 'draw\n\u001b[31m' };
    const text = findingsAsText(lintTools([tool], { hosts: ['claude', 'openai'] }), PLAIN);
    expect(text).not.toContain('\u001b');
    expect(text.match(/oneOf is at the root/g)).toHaveLength(1);
    expect(text).toContain('Claude loses the tool: ');
    expect(text).toContain('OpenAI breaks all tools: ');
  });

  it('are results of SARIF with the rules that they break', () => {
    const findings = lintTools([UNION], { hosts: ['claude', 'openai', 'cursor'] });
    const { runs } = findingsAsSarif(findings, { file: 'a b/tools.json', version: '1.0.0' }) as {
      readonly runs: readonly [
        {
          readonly tool: {
            readonly driver: { readonly rules: readonly { readonly id: string }[] };
          };
          readonly results: readonly Record<string, unknown>[];
        },
      ];
    };
    const rules = runs[0].tool.driver.rules.map(({ id }) => id);
    expect(rules).toEqual(['claude/root-keyword', 'openai/root-keyword', 'cursor/keyword']);
    expect(runs[0].results.map(({ ruleId }) => ruleId)).toEqual(rules);
    expect(runs[0].results[0]).toMatchObject({
      level: 'error',
      locations: [
        {
          physicalLocation: { artifactLocation: { uri: 'a%20b/tools.json' } },
          logicalLocations: [{ name: 'draw', fullyQualifiedName: '/tools/0/inputSchema/oneOf' }],
        },
      ],
    });
  });

  it('fail an expectation of vitest with their text', () => {
    expect.extend(hostMatchers);
    const expectTools = (tools: readonly unknown[]) =>
      expect(tools) as unknown as { toSuitHosts(hosts?: string[], ignore?: string[]): void };
    expectTools([GOOD]).toSuitHosts();
    expectTools([UNION]).toSuitHosts(['claude'], ['root-keyword']);
    expect(() => expectTools([UNION]).toSuitHosts(['claude'])).toThrow(/oneOf is at the root/);
  });
});

const KEYWORDS = [
  'type',
  'properties',
  'required',
  'items',
  'prefixItems',
  'anyOf',
  'oneOf',
  'allOf',
  'not',
  'if',
  '$ref',
  '$defs',
  'enum',
  'const',
  'format',
  'additionalProperties',
  'exclusiveMinimum',
  '$schema',
  'name',
  'description',
];
