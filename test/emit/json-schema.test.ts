import { expect, it } from 'vitest';
import { jsonSchemaOf } from '../../generator/emit/standard/json-schema.js';
import type { Schema } from '../../generator/emit/standard/json-schema.js';
import type { Protocol } from '../../generator/ir/index.js';
import type { Definition, JsonSchema } from '../../json-schema/index.js';
import { protocolOf } from '../support/protocol.js';
import { sized } from '../support/size.js';
import { allOf, drawnDefinitions } from './drawn.js';

/** The JSON Schemas of a protocol's definitions. */
function schemasOf({ definitions }: Protocol): Record<string, Schema> {
  return Object.fromEntries(
    definitions.map(({ name, node, description }) => [
      name,
      jsonSchemaOf(description === undefined ? node : { ...node, description }, new Set()),
    ]),
  );
}

/** Without the places in the document. */
const unplaced = (definition: Definition | undefined): unknown =>
  JSON.parse(
    JSON.stringify(definition, (key, value: unknown) => (key === 'pointer' ? undefined : value)),
  );

const ANNOTATED: Readonly<Record<string, JsonSchema>> = {
  Old: { type: 'string', deprecated: true, default: '', description: 'Use New.' },
  New: { type: 'string', deprecated: false, default: null },
  Plain: { type: 'object', properties: { a: { $ref: '#/$defs/Old', description: 'Own.' } } },
  Bare: { type: 'object' },
  Empty: { type: 'object', properties: {} },
  Open: { type: 'object', additionalProperties: {} },
  Described: { type: 'array', items: { description: 'Anything.' } },
  Times: { type: 'string', format: 'date-time', minLength: 0 },
  Few: { type: 'array', contains: {}, minContains: 0 },
  One: { type: 'array', contains: { type: 'null' }, minContains: 1, maxContains: 1 },
};

it('the JSON Schema of a definition reads as the same definition', () => {
  const protocol = protocolOf({ ...ANNOTATED, ...allOf(drawnDefinitions(sized(600), 43)) });
  const again = protocolOf(schemasOf(protocol));
  for (const [index, definition] of protocol.definitions.entries()) {
    expect(unplaced(again.definitions[index])).toEqual(unplaced(definition));
  }
});

it('the JSON Schema of a definition names those that it refers to', () => {
  const { definitions } = protocolOf(allOf(drawnDefinitions(sized(200), 44)));
  for (const { node } of definitions) {
    const needs = new Set<string>();
    const text = JSON.stringify(jsonSchemaOf(node, needs));
    const named = [...text.matchAll(/"\$ref":"#\/\$defs\/(\w+)"/g)].map(([, name]) => name);
    expect(needs).toEqual(new Set(named));
  }
});
