import { flatten, mapNode, resolve } from '../../ir/index.js';
import type { Definition, Definitions, Flattened, Format, Node, Protocol } from '../../ir/index.js';
import { assign, print } from '../../format/layout.js';
import { docComment } from '../comment.js';
import { formatCheckers } from '../formats/index.js';
import { expressionOf, schemaName } from './expression.js';
import type { Context } from './expression.js';
import { dependencyOrder } from './order.js';
import { NEEDS, PREAMBLE } from './preamble.js';
import type { Helper } from './preamble.js';

/**
 * `zod.ts`: one schema a definition, `<Name>Schema`, each after those it refers to. They assert
 * formats and return what they accept as it came.
 */
export function emitZod(protocol: Protocol): string {
  const definitions = flattened(protocol);
  const declared = new Set<string>();
  const helpers = new Set<Helper>();
  const formats = new Set<Format>();
  const context: Context = {
    declared: (name) => declared.has(name),
    use: (helper) => [helper, ...(NEEDS[helper] ?? [])].forEach((each) => helpers.add(each)),
    useFormat: (format) => formats.add(format),
  };
  const declarations = dependencyOrder([...definitions.values()]).map((definition) => {
    const declaration = declare(definition, definitions, context);
    declared.add(definition.name);
    return declaration;
  });
  return [
    "import * as z from 'zod';\nimport type * as types from './types.js';\n",
    ...(Object.keys(PREAMBLE) as Helper[])
      .filter((helper) => helper === 'types' || helpers.has(helper))
      .map((helper) => PREAMBLE[helper]),
    ...(formats.size > 0 ? [`\n${formatCheckers([...formats].sort())}`] : []),
    ...declarations,
  ].join('');
}

/** Intersections of objects as the objects they come to, which keep Zod's object methods. */
function flattened({ definitions }: Protocol): Definitions {
  const plain = new Map(definitions.map((definition) => [definition.name, definition]));
  const seen: Flattened = new Map();
  const simplify = (node: Node): Node =>
    node.kind === 'intersection' ? (flatten(node, plain, seen) ?? node) : node;
  return new Map(
    definitions.map((each) => [each.name, { ...each, node: mapNode(each.node, simplify) }]),
  );
}

function declare(definition: Definition, definitions: Definitions, context: Context): string {
  const { name, description, node } = definition;
  const code = print(
    assign(`export const ${schemaName(name)}: ${annotation(definition, definitions, context)}`, [
      '/*@__PURE__*/ ',
      expressionOf(node, context),
    ]),
  );
  return `\n${docComment(description)}${code}\n`;
}

/** Said outright, so that no compiler has to infer it: `isolatedDeclarations` asks for that. */
function annotation(
  { name, node }: Definition,
  definitions: Definitions,
  context: Context,
): string {
  const target = resolve(node, definitions);
  if (target.kind !== 'object') return `z.ZodType<types.${name}>`;
  switch (target.additional.kind) {
    case 'unsaid':
    case 'open':
      return `LooseObject<types.${name}>`;
    case 'closed':
      context.use('strict');
      return `StrictObject<types.${name}>`;
    case 'typed':
      return `z.ZodType<types.${name}>`;
  }
}
