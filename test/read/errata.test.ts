import { Ajv2020 } from 'ajv/dist/2020.js';
import { describe, expect, it } from 'vitest';
import { applyErrata, ERRATA } from '../../generator/read/errata/index.js';
import type { Erratum } from '../../generator/read/errata/index.js';
import type { JsonValue } from '../../json-schema/index.js';
import {
  loadRevision,
  loadSource,
  parseSource,
  REVISIONS,
} from '../../generator/read/load/index.js';
import { protocolFromSource } from '../../generator/protocol/protocol.js';

interface Json {
  [key: string]: JsonValue;
}

const MADE = REVISIONS.flatMap((revision) =>
  (loadRevision(revision).document.errata ?? []).map((made) => [made.id, revision, made] as const),
);

describe('errata', () => {
  it.each(MADE)('%s changes %s', (_, revision, { pointer, was, becomes }) => {
    const json = parseSource(loadRevision(revision).source) as Json;
    const at = (document: Json): unknown =>
      pointer
        .split('/')
        .slice(1)
        .reduce<unknown>((value, key) => (value as Json)[key], document);
    expect(at(json)).toEqual(was);
    expect(at(applyErrata(json).json)).toEqual(becomes);
    const name = pointer.split('/')[2] ?? '';
    const read = (errata: boolean): unknown =>
      loadRevision(revision, { errata }).document.definitions.get(name);
    expect(read(true)).not.toEqual(read(false));
  });

  it('each apply to a bundled revision', () => {
    expect([...new Set(MADE.map(([id]) => id))].sort()).toEqual(ERRATA.map(({ id }) => id).sort());
    // Revisions that are adopted later may have them as well.
    const known = [
      '2025-06-18 elicit-result-fraction',
      '2025-11-25 elicit-result-fraction',
      '2026-07-28 elicit-result-fraction',
      '2026-07-28 json-value-null-and-fraction',
      'ext-tasks elicit-result-fraction',
      'ext-tasks json-value-null-and-fraction',
    ];
    const made = MADE.map(([id, revision]) => `${revision} ${id}`);
    expect(made).toEqual(expect.arrayContaining(known));
  });
});

describe('an erratum', () => {
  const erratum: Erratum = {
    id: 'wrong',
    path: ['A', 'properties', 'x'],
    was: ['integer', 'string'],
    becomes: ['number', 'null'],
    reason: '',
  };
  const A = (x: JsonValue, others: Json = {}): Json => ({
    $defs: { A: { properties: { x } }, ...others },
  });
  const list = { items: { $ref: '#/$defs/A' }, type: 'array' };

  /** Each accepts a string, an integer and perhaps something else that is no scalar. */
  const WAYS: readonly (readonly [string, Json, isList?: boolean])[] = [
    ['a list of types', A({ type: ['string', 'integer'], description: 'x' })],
    ['a list in another order', A({ type: ['integer', 'string'] })],
    ['alternatives', A({ anyOf: [{ type: 'string' }, { type: 'integer', title: 'x' }] })],
    ['a member', A({ anyOf: [list, { type: ['string', 'integer'] }] }), true],
    ['members', A({ anyOf: [{ type: 'string' }, list, { type: 'integer' }] }), true],
    ['one of several', A({ oneOf: [{ anyOf: [{ type: 'string' }, { type: 'integer' }] }] })],
    ['a number in steps', A({ anyOf: [{ type: 'string' }, { type: 'number', multipleOf: 1 }] })],
    ['a list with an array', A({ ...list, type: ['array', 'string', 'integer'] }), true],
    ['a reference', A({ $ref: '#/$defs/B' }, { B: { type: ['string', 'integer'] } })],
    [
      'references in alternatives',
      A(
        { anyOf: [{ $ref: '#/$defs/B' }, { $ref: '#/$defs/C' }] },
        {
          B: { type: 'string' },
          C: { anyOf: [{ type: 'integer' }, list] },
        },
      ),
      true,
    ],
    [
      'an object by reference, in an intersection',
      {
        $defs: {
          A: { allOf: [{}, { $ref: '#/$defs/B' }] },
          B: { properties: { x: { type: ['string', 'integer'] } } },
        },
      },
    ],
  ];

  const ways = WAYS.map(([name, json, isList = false]) => [name, json, isList] as const);

  it.each(ways)('applies to %s, as ajv confirms', (_, json, isList) => {
    const before = structuredClone(json);
    const { json: corrected, corrections } = applyErrata(json, [erratum]);
    expect(corrections).toMatchObject([{ id: 'wrong' }]);
    expect(json).toEqual(before);
    const ajv = new Ajv2020({ strict: false });
    const isA = ajv.compile({ ...corrected, $ref: '#/$defs/A' });
    const accepted = [1, 1.5, null, 'a', true, {}, []].filter((x) => isA({ x }));
    expect(accepted).toEqual([1, 1.5, null, ...(isList ? [[]] : [])]);
    const { B } = json['$defs'] as Json;
    if (!('allOf' in ((json['$defs'] as Json)['A'] as Json))) {
      expect((corrected['$defs'] as Json)['B']).toEqual(B);
    }
    expect(applyErrata(corrected, [erratum]).corrections).toEqual([]);
  });

  it.each<[string, Json]>([
    ['other types', A({ type: ['string', 'boolean'] })],
    ['more types', A({ type: ['string', 'integer', 'null'] })],
    ['a part of the texts', A({ anyOf: [{ type: 'string', minLength: 1 }, { type: 'integer' }] })],
    ['everything', A({ anyOf: [{}, { type: ['string', 'integer'] }] })],
    ['values', A({ enum: ['string', 'integer'] })],
    ['a reference to nothing', A({ $ref: '#/$defs/B' })],
    ['a reference to itself', A({ $ref: '#/$defs/A/properties/x' })],
    ['another name', { $defs: { B: { properties: { x: { type: ['string', 'integer'] } } } } }],
    ['nothing', {}],
    ['true', { $defs: { A: true } }],
  ])('does not apply to %s', (_, json) => {
    const { json: same, corrections } = applyErrata(json, [erratum]);
    expect(same).toBe(json);
    expect(corrections).toEqual([]);
  });
});

describe('a draft', () => {
  const draft = (change: (definitions: Record<string, Json>) => void) => {
    const json = parseSource(loadRevision('2026-07-28').source) as Json;
    change(json['$defs'] as Record<string, Json>);
    return { label: 'schema.json', text: JSON.stringify(json) };
  };
  const at = (schema: Json | undefined, ...path: string[]): Json =>
    path.reduce((value, key) => value[key] as Json, schema ?? {});
  const addOptional = (definitions: Record<string, Json>): void => {
    at(definitions['Tool'], 'properties')['shiny'] = { type: 'boolean' };
  };

  it('is corrected as the revision that it is a draft of', () => {
    const { protocol, diagnostics } = protocolFromSource(draft(addOptional));
    expect(protocol.errata?.map(({ id }) => id)).toEqual(ERRATA.map(({ id }) => id));
    expect(diagnostics).toEqual([]);
    expect(protocolFromSource(draft(addOptional), { errata: false }).protocol.errata).toBe(
      undefined,
    );
  });

  it.each<[string, (definitions: Record<string, Json>) => void]>([
    [
      'is mended',
      ({ JSONValue }) => {
        (at(JSONValue)['anyOf'] as Json[])[2] = { type: ['string', 'number', 'boolean', 'null'] };
      },
    ],
    [
      'has another name',
      (definitions) => {
        definitions['JsonValue'] = definitions['JSONValue'] as Json;
        delete definitions['JSONValue'];
        const text = JSON.stringify(definitions).replaceAll(
          '#/$defs/JSONValue',
          '#/$defs/JsonValue',
        );
        Object.assign(definitions, JSON.parse(text));
      },
    ],
  ])('says which correction no longer applies when its schema %s', (_, change) => {
    const { protocol, diagnostics } = protocolFromSource(draft(change));
    expect(protocol.errata?.map(({ id }) => id)).toEqual(['elicit-result-fraction']);
    expect(diagnostics).toMatchObject([{ code: 'unused-erratum', severity: 'warning' }]);
    expect(diagnostics[0]?.message).toContain('"json-value-null-and-fraction"');
    expect(protocolFromSource(draft(change), { errata: false }).diagnostics).toEqual([]);
  });

  it('says which fact beside the schema no longer applies', () => {
    const source = draft(({ ServerCapabilities }) => {
      delete at(ServerCapabilities, 'properties')['completions'];
    });
    const { diagnostics } = protocolFromSource(source);
    expect(diagnostics).toMatchObject([{ code: 'unused-fact', severity: 'warning' }]);
    expect(diagnostics[0]?.message).toContain('completion/complete');
  });

  it('is no schema of something else, which is neither corrected nor warned of', () => {
    const $defs = { JSONValue: { anyOf: [{ type: ['string', 'integer', 'boolean'] }] } };
    const found = loadSource({ label: 'mine.json', text: JSON.stringify({ $defs }) });
    expect(found).toMatchObject({ draft: undefined, revision: undefined, diagnostics: [] });
    expect(found.document.errata).toBeUndefined();
  });
});
