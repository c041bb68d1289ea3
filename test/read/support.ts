import {
  type JsonSchema,
  type JsonValue,
  type Node,
  type ReadDefinition,
  Reading,
} from '../../json-schema/index.js';

/** The definitions of a schema in a document that has definitions A and B, `It` for the schema itself. */
export function readIt(schema: JsonSchema): Map<string, ReadDefinition> {
  const $defs = { A: {}, B: {}, It: schema as JsonValue };
  const reading = new Reading(
    { $defs },
    { draft: '2020-12', depth: 100, nameOf: ({ path }) => String(path.at(-1)) },
  );
  reading.define('It', '$defs', 'It');
  return reading.finish();
}

export function nodeOf(schema: JsonSchema): Node {
  const { node, description } = readIt(schema).get('It') ?? {};
  if (!node) throw new Error('The definition is missing.');
  return { ...node, ...(description !== undefined && { description }) };
}
