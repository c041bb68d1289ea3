import { createNames } from '../../../emit/validators/identifiers.js';
import { type JsonValue, mapNode, type Node } from '../../../../json-schema/index.js';
import { readToolSchema, TooLarge } from '../../tools/read.js';
import type { ReadToolSchema } from '../../tools/read.js';

/** Schemas and literals in one schema. */
const MOST_PARTS = 5_000;

/** Reads schemas of strangers into one table of definitions: each has the name that is given. */
export function createSchemaReader(): (schema: JsonValue, name: string) => ReadToolSchema {
  const names = createNames([]);
  return (schema, name) => {
    let left = MOST_PARTS;
    const read = readToolSchema(schema, {
      name: names.take(name),
      names,
      path: [],
      report: () => undefined,
      strict: false,
      spend: () => {
        left -= 1;
        if (left < 0) throw new TooLarge('is too large');
      },
    });
    const definitions = read.definitions.map((each) => ({
      ...each,
      node: mapNode(each.node, withNamesOfTexts),
    }));
    return { ...read, definitions };
  };
}

/** A rule of `propertyNames` without `type` is for every type, but names are texts. */
function withNamesOfTexts(node: Node): Node {
  return node.kind === 'object' && node.names ? { ...node, names: ofTexts(node.names) } : node;
}

function ofTexts(node: Node): Node {
  if (node.kind === 'intersection') return { ...node, members: node.members.map(ofTexts) };
  if (node.kind !== 'union') return node;
  const possible = node.members.map(ofTexts).filter(({ kind }) => !OTHER_TYPES.has(kind));
  return possible.length === 1 ? (possible[0] ?? node) : { ...node, members: possible };
}

const OTHER_TYPES: ReadonlySet<Node['kind']> = new Set<Node['kind']>([
  ...(['null', 'boolean', 'number', 'object', 'array', 'constant'] as const),
]);

/** Why a part of a schema is left out, as the end of a sentence. */
export const UNREADABLE =
  'cannot be read: it is malformed, too large, or leads to another document';
