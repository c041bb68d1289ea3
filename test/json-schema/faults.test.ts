import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  compile,
  type Draft,
  DRAFTS,
  isObject,
  type JsonSchema,
  type JsonValue,
  read,
} from '../../json-schema/index.js';
import { keywordIn } from '../../json-schema/read/keywords.js';
import { subschemas } from '../../json-schema/read/subschemas.js';
import { plain } from '../read/differential.js';
import { drawnSchema, drawnValue } from '../read/drawn.js';
import { randomFrom } from '../read/variants.js';
import type { Random } from '../read/variants.js';
import { sized } from '../support/size.js';

/** Values that few keywords can have; each is tried until the reader finds a fault. */
const FAULTS: readonly JsonValue[] = [
  5,
  'any',
  ['any'],
  [],
  null,
  [5],
  { a: 5 },
  -1,
  '(',
  '#/none',
];

/** The schema with a fault in place of a keyword's value, or of a part of that value. */
function withFault(schema: JsonSchema, draft: Draft, random: Random): JsonSchema {
  const copy = structuredClone(schema);
  const places = subschemas(copy as JsonValue).flatMap(({ schema: at }) =>
    Object.keys(at)
      .filter((name) => keywordIn(draft, name) && !['$defs', 'definitions'].includes(name))
      .flatMap((name): [Record<string, JsonValue>, string][] => {
        const value = at[name];
        const parts = keywordIn(draft, name)?.holds && !isSchemaLike(name) ? value : undefined;
        const inner = Object.keys(isObject(parts) || Array.isArray(parts) ? parts : {});
        return [
          [at, name],
          ...inner.map((key): [Record<string, JsonValue>, string] => [parts as never, key]),
        ];
      }),
  );
  const [owner, key] = places[random(places.length)] ?? [];
  if (owner && key !== undefined) owner[key] = FAULTS[random(FAULTS.length)] ?? null;
  return copy;
}

const isSchemaLike = (name: string): boolean => ['not', 'if', 'then', 'else'].includes(name);

describe.each(DRAFTS)('a fault, in %s', (draft) => {
  it('refuses no value, wherever it is', () => {
    const random = randomFrom(45);
    const drawn = fc.sample(drawnSchema(draft), { numRuns: sized(3000), seed: 45 });
    const values = fc.sample(drawnValue, { numRuns: 80, seed: 45 }).map((each) => plain(each));
    const seen = { accepted: 0, faults: 0 };
    for (const schema of drawn) {
      const right = read(schema, { draft });
      if (!right.exact) continue;
      const faulty = withFault(schema, draft, random);
      const { node, definitions, faults, exact } = read(faulty, { draft });
      if (exact) continue;
      seen.faults += 1;
      const [before, after] = [compile(right.node, right.definitions), compile(node, definitions)];
      for (const value of values) {
        if (!before.accepts(value)) continue;
        seen.accepted += 1;
        if (after.accepts(value)) continue;
        expect.fail(JSON.stringify({ schema, faulty, value, faults }));
      }
    }
    expect(seen.faults).toBeGreaterThan(sized(300));
    expect(seen.accepted).toBeGreaterThan(seen.faults);
  });
});
