import { describe, expect, it } from 'vitest';
import { applyErrata, ERRATA } from '../../generator/read/errata/index.js';
import type { Erratum } from '../../generator/read/errata/index.js';
import { jsonPointer, type JsonValue } from '../../json-schema/index.js';
import {
  loadRevision,
  loadSource,
  parseSource,
  REVISIONS,
} from '../../generator/read/load/index.js';
import { protocolFromSource } from '../../generator/protocol.js';

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
    keyword: 'type',
    was: ['string', 'null'],
    becomes: 'number',
    reason: '',
  };
  const A = (x: JsonValue): Json => ({ $defs: { A: { properties: { x } } } });
  const wrong = { type: ['null', 'string'], minLength: 1 };
  const right = { type: 'number', minLength: 1 };

  it.each<[string, JsonValue, JsonValue, string]>([
    ['the schema', wrong, right, ''],
    ['a member', { anyOf: [{}, wrong] }, { anyOf: [{}, right] }, '/anyOf/1'],
    [
      'an inner member',
      { oneOf: [{ anyOf: [wrong] }] },
      { oneOf: [{ anyOf: [right] }] },
      '/oneOf/0/anyOf/0',
    ],
  ])('applies to %s, with types in any order', (_, before, after, place) => {
    const json = A(before);
    const { json: corrected, corrections } = applyErrata(json, [erratum]);
    expect(corrected).toEqual(A(after));
    const pointer = `${jsonPointer(['$defs', ...erratum.path])}${place}/type`;
    expect(corrections).toMatchObject([{ id: 'wrong', pointer, becomes: 'number' }]);
    expect(json).toEqual(A(before));
  });

  it.each<[string, Json]>([
    ['another value', A({ type: ['string', 'boolean'] })],
    ['another keyword', A({ enum: ['string', 'null'] })],
    ['a reference', A({ $ref: '#/$defs/B' })],
    ['another name', { $defs: { B: { properties: { x: wrong } } } }],
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
