import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { readDocument } from '../../generator/read/load/document.js';
import { bundledSchemaPath, DEFAULT_LIMITS } from '../../generator/read/load/index.js';
import { jsonPointer, type JsonValue } from '../../json-schema/index.js';
import { subschemas } from '../../json-schema/read/subschemas.js';
import { DIALECT_REVISIONS } from '../../generator/ir/revisions/index.js';
import { sized } from '../support/size.js';
import { randomFrom } from './variants.js';

/** Schemas that consist of a fault, and the place of the fault in each. */
const FAULTS: Readonly<Record<string, readonly [JsonValue, string, string]>> = {
  'an unknown type': [{ type: 'any' }, '/type', 'malformed-keyword'],
  'a limit that is a text': [{ minimum: '1' }, '/minimum', 'malformed-keyword'],
  'a broken pattern': [{ pattern: '(' }, '/pattern', 'malformed-keyword'],
  'a reference to nothing': [{ $ref: '#/$defs/Nothing' }, '/$ref', 'dangling-ref'],
  'a reference to another document': [{ $ref: 'other.json' }, '/$ref', 'remote-ref'],
  'required that is no list': [{ required: 'a' }, '/required', 'malformed-keyword'],
  'an empty list of alternatives': [{ anyOf: [] }, '/anyOf', 'malformed-keyword'],
  'an enum that is no list': [{ enum: 'a' }, '/enum', 'malformed-keyword'],
  'properties that are no object': [{ properties: 5 }, '/properties', 'malformed-keyword'],
  'items that are no schema': [{ items: 5 }, '/items', 'malformed-keyword'],
  'a text in place of a schema': ['string', '', 'not-a-schema'],
};

type Json = { [key: string]: JsonValue };

const WHOLE = readFileSync(bundledSchemaPath(DIALECT_REVISIONS.core), 'utf8');

/** The revision with another schema at a place. */
function read(path: readonly (string | number)[], schema: JsonValue, strict?: boolean) {
  const json = JSON.parse(WHOLE) as Json;
  let owner = json;
  for (const part of path.slice(0, -1)) owner = owner[part] as Json;
  owner[path.at(-1) ?? ''] = schema;
  return readDocument('it', json, { limits: DEFAULT_LIMITS, strict });
}

describe('a fault in a revision', () => {
  const container = '$defs' in (JSON.parse(WHOLE) as object) ? '$defs' : 'definitions';
  const places = subschemas(JSON.parse(WHOLE) as JsonValue)
    .map(({ path }) => path)
    .filter((path) => path.at(-2) === 'properties');
  const random = randomFrom(45);

  it.each(Object.entries(FAULTS))(
    'costs its place and nothing else: %s',
    (_, [schema, below, code]) => {
      const fault = JSON.parse(JSON.stringify(schema).replace('$defs', container)) as JsonValue;
      for (let count = sized(40); count > 0; count -= 1) {
        const path = places[random(places.length)] ?? [];
        const right = read(path, {});
        const { document, diagnostics } = read(path, fault);
        const told = { code, pointer: jsonPointer(path) + below };
        expect(diagnostics).toEqual([
          ...right.diagnostics,
          expect.objectContaining({ ...told, severity: 'warning' }),
        ]);
        expect(document).toEqual(right.document);
        expect(read(path, fault, true).diagnostics).toContainEqual(
          expect.objectContaining({ ...told, severity: 'error' }),
        );
      }
    },
  );
});
