import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import type { JsonValue } from '../../json-schema/index.js';
import { isObject } from '../../runtime/peer/wire/json.js';
import { isCircular, plain, secondOpinion } from '../read/differential.js';
import { drawnSchema, drawnValue } from '../read/drawn.js';
import { partsOf, type Random, randomFrom } from '../read/variants.js';
import { sized } from '../support/size.js';
import { verdictsOfAjv, verdictsOfTool } from './verdicts.js';

const DRAFTS = [
  ['2020-12', 'https://json-schema.org/draft/2020-12/schema'],
  ['draft-07', 'http://json-schema.org/draft-07/schema#'],
] as const;

describe.each(DRAFTS)('plain JSON Schema of %s', (draft, $schema) => {
  it('has the verdicts of ajv on drawn schemas and arguments', async () => {
    const seen = { true: 0, false: 0 };
    await fc.assert(
      fc.asyncProperty(
        drawnSchema(draft).map(plain),
        fc.array(fc.dictionary(fc.constantFrom('a', 'b', 'ab', 'c'), drawnValue), {
          minLength: 20,
          maxLength: 20,
        }),
        async (drawn, values) => {
          const schema = { $schema, ...(drawn as object) };
          fc.pre(!isCircular(drawn, draft));
          const accepts = await verdictsOfTool(schema).catch(() => undefined);
          fc.pre(accepts !== undefined);
          const ajv = verdictsOfAjv(schema);
          for (const value of values.map(plain)) {
            const expected = ajv(value);
            if (expected === undefined) continue;
            const verdict = await accepts?.(value);
            seen[`${expected}`] += 1;
            if (verdict === expected) continue;
            // Where it differs from ajv, the library alone says the same: ajv is wrong in a few places.
            expect(verdict, JSON.stringify({ schema, value })).toBe(
              secondOpinion(drawn, draft, value as JsonValue),
            );
          }
        },
      ),
      { numRuns: sized(150), seed: 283 },
    );
    expect(Math.min(seen.true, seen.false)).toBeGreaterThan(sized(150));
  });
});

/** The folder `pkg/github/__toolsnaps__` of github-mcp-server, which is not part of this repository. */
const SNAPSHOTS = process.env['GITHUB_MCP_TOOLS'];

interface Snapshot {
  readonly name: string;
  readonly inputSchema: Schema;
}
type Schema = Readonly<Record<string, JsonValue>>;

if (SNAPSHOTS === undefined || !existsSync(SNAPSHOTS)) {
  it.skip('the tools of github-mcp-server: GITHUB_MCP_TOOLS names no folder', () => undefined);
} else {
  const tools = readdirSync(SNAPSHOTS)
    .filter((file) => file.endsWith('.snap'))
    .map((file) => JSON.parse(readFileSync(join(SNAPSHOTS, file), 'utf8')) as Snapshot);

  describe('the tools of github-mcp-server', () => {
    it('are all there', () => expect(tools.length).toBeGreaterThanOrEqual(117));

    it.each(tools.map((tool) => [tool.name, tool] as const))(
      '%s has the verdicts of ajv',
      async (_, { inputSchema }) => {
        const accepts = await verdictsOfTool(inputSchema);
        const ajv = verdictsOfAjv(inputSchema);
        const random = randomFrom(117);
        const parts = [...partsOf(inputSchema), null, -1, 0, 1.5, '', true, [], {}];
        const verdicts = new Set<boolean>();
        for (let round = 0; round < 100; round += 1) {
          const value = object(inputSchema, random, parts, round % 3);
          const verdict = await accepts(value);
          verdicts.add(verdict);
          expect(verdict, JSON.stringify(value)).toBe(ajv(value));
        }
        expect(verdicts.has(true)).toBe(true);
      },
    );
  });
}

/** A value of a schema, valid as far as its simple keywords go, with wrong parts in one of `faults` + 1 rounds. */
function sample(
  schema: JsonValue,
  random: Random,
  parts: readonly JsonValue[],
  faults: number,
): JsonValue {
  if (faults > 0 && random(8) < faults) return parts[random(parts.length)] ?? null;
  if (!isObject(schema)) return null;
  const of = schema as Schema;
  const alternatives = of['oneOf'] ?? of['anyOf'] ?? of['enum'];
  if (Array.isArray(alternatives)) {
    const chosen = alternatives[random(alternatives.length)] ?? null;
    return of['enum'] === undefined ? sample(chosen, random, parts, faults) : chosen;
  }
  switch (Array.isArray(of['type']) ? of['type'][random(of['type'].length)] : of['type']) {
    case 'object':
      return object(of, random, parts, faults);
    case 'array':
      return [1, 2].map(() => sample(of['items'] ?? {}, random, parts, faults));
    case 'string':
      return 'text';
    case 'boolean':
      return random(2) === 0;
    case 'null':
      return null;
    default:
      return Number(of['minimum'] ?? 0) + random(20);
  }
}

function object(
  { properties = {}, required = [] }: Schema,
  random: Random,
  parts: readonly JsonValue[],
  faults: number,
): JsonValue {
  const entries = Object.entries(properties as Schema)
    .filter(
      ([name]) => random(2) === 0 || (random(10) > 0 && (required as string[]).includes(name)),
    )
    .map(([name, schema]) => [name, sample(schema, random, parts, faults)]);
  if (random(6) < faults) entries.push(['unknown', 1]);
  return Object.fromEntries(entries) as JsonValue;
}
