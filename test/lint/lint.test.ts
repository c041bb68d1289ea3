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
  type ToolsFile,
  verdictsAsText,
  verdictsOf,
} from '../../contracts/lint/index.js';
import { GOOD } from './examples.js';

const hosts = HOSTS.map(({ id }) => id);
const OTHER = { ...GOOD, name: 'paint' };
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
  it('are one line a rule, and each place by tool with its evidence', () => {
    const tool = { ...UNION, name: 'draw\n\u001b[31m' };
    const findings = lintTools([tool, { ...UNION, name: 'b' }], {
      hosts: ['claude', 'openai'],
      ignore: ['tool-name'],
    });
    expect(findingsAsText(findings, PLAIN).split('\n')).toEqual([
      expect.stringMatching(
        /^claude\/root-keyword refuses the tool: "draw.* and 1 other\. oneOf is/,
      ),
      expect.stringMatching(
        /^openai\/root-keyword is reported to refuse it \(models before GPT-5\)/,
      ),
      '',
    ]);
    const all = findingsAsText(findings, PLAIN, { all: true });
    expect(all).not.toContain('\u001b');
    expect(all.match(/: oneOf is at the root/g)).toHaveLength(4);
    expect(all).toContain("/claude-code/issues/4886 (the vendor's tracker, 2025-12-12, read ");
  });

  it('are a verdict for each host', () => {
    const hosts = ['claude', 'openai', 'vscode', 'gemini'];
    const tools = [UNION, { ...GOOD, name: '7zip' }, OTHER];
    const verdicts = verdictsOf(lintTools(tools, { hosts }), hosts);
    expect(
      verdicts.map(({ verdict, tools: count, reported }) => [verdict, count, reported]),
    ).toEqual([
      ['affected', 1, 0],
      ['works', 0, 1],
      ['works', 0, 0],
      ['refused', 1, 2],
    ]);
    expect(verdictsAsText(verdicts, PLAIN)).toBe(
      'Claude Code  1 tool affected\nOpenAI API   works, 1 rule by reports\nVS Code      works\nGemini API   refused, 2 rules by reports\n',
    );
    const invalid = lintTools([{ ...GOOD, inputSchema: null }], { hosts });
    expect(verdictsOf(invalid, hosts).map(({ verdict }) => verdict)).toEqual(
      hosts.map(() => 'refused'),
    );
  });

  interface Result {
    readonly ruleId: string;
    readonly level: string;
    readonly partialFingerprints: Readonly<Record<string, string>>;
    readonly locations: readonly {
      readonly physicalLocation?: {
        readonly artifactLocation: { readonly uri: string };
        readonly region: { readonly startLine: number };
      };
      readonly logicalLocations: readonly object[];
    }[];
  }

  const resultsOf = (tools: readonly unknown[], file?: ToolsFile): readonly Result[] => {
    const findings = lintTools(tools, { hosts: ['claude', 'gemini'] });
    const log = findingsAsSarif(findings, { file, version: '1.0.0' }) as {
      readonly runs: readonly [{ readonly results: readonly Result[] }];
    };
    return log.runs[0].results;
  };
  const lineOf = ({ locations }: Result): number | undefined =>
    locations[0]?.physicalLocation?.region.startLine;

  it('are results of SARIF at their lines in a list of tools', () => {
    for (const [content, line] of [
      [{ tools: [OTHER, UNION] }, 35],
      [{ jsonrpc: '2.0', id: 1, result: { tools: [OTHER, UNION] } }, 38],
      [[OTHER, UNION], 34],
    ] as const) {
      const text = JSON.stringify(content, null, 1);
      const file = { file: 'a b/tools.json', text };
      const [result, ...others] = resultsOf([OTHER, UNION], file);
      expect(result).toMatchObject({
        ruleId: 'claude/root-keyword',
        level: 'error',
        locations: [
          {
            physicalLocation: { artifactLocation: { uri: 'a%20b/tools.json' } },
            logicalLocations: [{ name: 'draw', fullyQualifiedName: '/tools/1/inputSchema/oneOf' }],
          },
        ],
      });
      expect(text.split('\n')[line - 1]).toMatch(/"oneOf"/);
      expect(result && lineOf(result)).toBe(line);
      expect(others.map(({ level }) => level)).toEqual(['note', 'note']);
    }
  });

  it('are at the line that names the tool, in other files', () => {
    const text = "const a = 1;\nexport const tools = [{ name: 'draw' }];\n";
    expect(resultsOf([UNION], { file: 'tools.ts', text }).map(lineOf)).toEqual([2, 2, 2]);
    const lock = JSON.stringify({ lists: { tools: { draw: {} } } }, null, 1);
    expect(resultsOf([UNION], { file: 'mcp.lock.json', text: lock }).map(lineOf)).toEqual([
      4, 4, 4,
    ]);
    expect(resultsOf([UNION]).map(lineOf)).toEqual([undefined, undefined, undefined]);
  });

  it('have fingerprints of their own, which other tools do not change', () => {
    const prints = (tools: readonly unknown[]): unknown[] =>
      resultsOf(tools).map(({ partialFingerprints }) => partialFingerprints);
    expect(prints([UNION])).toEqual(prints([OTHER, UNION]));
    const both = resultsOf([UNION, { ...UNION, name: 'b' }]);
    const all = both.map(({ partialFingerprints }) => JSON.stringify(partialFingerprints));
    expect(new Set(all).size).toBe(all.length);
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
