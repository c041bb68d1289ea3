import { Ajv } from 'ajv';
import Ajv04 from 'ajv-draft-04';
import addFormats from 'ajv-formats';
import { Ajv2019 } from 'ajv/dist/2019.js';
import { Ajv2020 } from 'ajv/dist/2020.js';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  type Draft,
  DRAFT_URIS,
  DRAFTS,
  type JsonValue,
  metaschemaFaults,
} from '../../json-schema/index.js';
import { plain } from '../read/differential.js';
import { drawnSchema, drawnValue } from '../read/drawn.js';
import { metaschemas } from '../read/suite.js';
import { partsOf, randomFrom, variantOf } from '../read/variants.js';
import { sized } from '../support/size.js';

const OFFICIAL = metaschemas();
/** The metaschema of a draft by another validator, with its formats. */
function oracle(draft: Draft): (schema: unknown) => boolean {
  const options = { strict: false, validateSchema: false, logger: false } as const;
  const made = {
    'draft-04': () => new Ajv04.default(options),
    'draft-06': () =>
      new Ajv(options).addMetaSchema(
        OFFICIAL.find(([uri]) => uri.includes('draft-06'))?.[1] as object,
      ),
    'draft-07': () => new Ajv(options),
    '2019-09': () => new Ajv2019(options),
    '2020-12': () => new Ajv2020(options),
  }[draft]();
  addFormats.default(made);
  const validate = made.getSchema(DRAFT_URIS[DRAFTS.indexOf(draft)] ?? '');
  if (!validate) throw new Error(`ajv has no metaschema of ${draft}`);
  return (schema) => validate(schema) as boolean;
}

/** What only a look at the whole schema shows. */
const beyond = ({ code }: { readonly code: string }): boolean => code === 'dangling-ref';

describe.each(DRAFTS)('metaschemaFaults, in %s', (draft) => {
  const accepts = oracle(draft);

  it('agrees with the metaschema on schemas and broken ones, and says why', () => {
    const random = randomFrom(47);
    const drawn = fc.sample(drawnSchema(draft), { numRuns: sized(400), seed: 47 }).map(plain);
    const values = fc.sample(drawnValue, { numRuns: 60, seed: 47 }).map(plain);
    const whole = drawn as JsonValue[];
    const parts = [
      ...whole.flatMap((each) => partsOf(each)),
      '^(',
      'a b',
      -1,
      1.5,
      ['a', 'a'],
      [],
      'any',
    ];
    const seen = { true: 0, false: 0 };
    const tried = whole.flatMap((each) =>
      Array.from({ length: 10 }, (_, count) => {
        let value = each;
        for (let step = count % 4; step > 0; step -= 1) value = variantOf(value, parts, random);
        return value;
      }),
    );
    const keywords = OFFICIAL.filter(([uri]) => uri.includes(draft)).flatMap(([, file]) =>
      Object.keys((file as { properties?: object }).properties ?? {}),
    );
    const single = keywords.flatMap((name) => values.map((value) => ({ [name]: value })));
    for (const schema of [...tried, ...values, ...single]) {
      if (hasOwnDraft(schema)) continue;
      const faults = metaschemaFaults(schema, { draft });
      const verdict = accepts(schema);
      seen[`${verdict}`] += 1;
      expect(
        faults.filter((each) => !beyond(each)).length === 0,
        JSON.stringify([schema, faults]),
      ).toBe(verdict);
      for (const { pointer, message } of faults) {
        expect(message).toMatch(/^(?:A|"|The).*\.$/);
        expect(at(schema, pointer), `${pointer} in ${JSON.stringify(schema)}`).toBeDefined();
      }
    }
    expect(Math.min(seen.true, seen.false)).toBeGreaterThan(sized(400));
  });
});

function hasOwnDraft(schema: unknown): boolean {
  return typeof schema === 'object' && schema !== null && Object.hasOwn(schema, '$schema');
}

function at(value: unknown, pointer: string): unknown {
  const parts = pointer
    .split('/')
    .slice(1)
    .map((part) => part.replaceAll('~1', '/').replaceAll('~0', '~'));
  return parts.reduce<unknown>((inner, part) => (inner as Record<string, unknown>)[part], value);
}

describe('valid', () => {
  const places = (schema: unknown, draft?: Draft) =>
    metaschemaFaults(schema, draft && { draft }).map(({ pointer, message }) => [pointer, message]);

  it('says what a keyword must be, at its place', () => {
    const schema = {
      properties: { a: { type: 'any' }, type: 'string' },
      required: 'a',
      pattern: '[a',
    };
    expect(Object.fromEntries(places(schema))).toEqual({
      '/properties/a/type':
        '"type" must be one of null, boolean, object, array, number, integer, string, or a list of them.',
      '/properties/type': 'A schema must be an object, true or false.',
      '/required': '"required" must be a list of names.',
      '/pattern': '"pattern" is not a regular expression.',
    });
    expect(places({ pattern: '[\\w-.]' })).toEqual([
      ['/pattern', '"pattern" is not a regular expression with the flag "u".'],
    ]);
    expect(places({ exclusiveMinimum: true }, 'draft-04')).toEqual([
      ['', 'The value must have the property "minimum".'],
    ]);
  });

  it.each([null, undefined, 'any', 3, []])('refuses %j', (schema) => {
    expect(places(schema)).toEqual([['', 'A schema must be an object, true or false.']]);
  });

  it('finds references to nothing, wherever they are', () => {
    const schema = {
      $id: 'https://a.example/root',
      $defs: {
        A: { $anchor: 'a', items: { $ref: '#/$defs/B' } },
        own: {
          $id: 'own',
          $defs: { C: {} },
          not: { $ref: '#/$defs/C' },
          allOf: [{ $ref: '#/$defs/A' }],
        },
      },
      anyOf: [
        { $ref: '#a' },
        { $ref: '#b' },
        { $ref: 'own' },
        { $ref: 'root#/$defs/A' },
        { $ref: 'other' },
      ],
      oneOf: [{ $dynamicRef: '#none' }, { const: { $ref: '#none' } }],
    };
    expect(places(schema).map(([pointer]) => pointer)).toEqual([
      '/$defs/A/items/$ref',
      '/$defs/own/allOf/0/$ref',
      '/anyOf/1/$ref',
      '/oneOf/0/$dynamicRef',
    ]);
  });

  it('goes by the draft that a schema names', () => {
    const items = [true];
    expect(places({ items }).length).toBe(1);
    expect(places({ $schema: 'http://json-schema.org/draft-07/schema#', items })).toEqual([]);
    expect(places({ $schema: 'https://a.example/schema' })).toEqual([
      ['/$schema', 'Its draft is not known.'],
    ]);
    expect(places({ $schema: 3 }).map(([pointer]) => pointer)).toEqual(['/$schema']);
  });

  it('ends for schemas of any depth and size', () => {
    let deep: object = { type: 'any' };
    for (let level = 0; level < 100_000; level += 1) deep = { items: deep };
    expect(metaschemaFaults(deep).map(({ code }) => code)).toEqual(['too-large']);
    const wide = Object.fromEntries(
      Array.from({ length: 100_000 }, (_, key) => [`p${key}`, { type: 'x' }]),
    );
    expect(metaschemaFaults({ properties: wide }).length).toBe(100);
  });
});
