import { Flattener, mapNode, resolve } from '../../ir/index.js';
import type { Definition, Definitions, Node, Protocol } from '../../ir/index.js';
import { assign, call, print } from '../../format/layout.js';
import { docComment } from '../comment.js';
import { createImports } from '../imports.js';
import { expressionOf, schemaName } from './expression.js';
import type { Context } from './expression.js';
import { dependencyOrder } from './order.js';
import { isAwkward, plainType } from './field.js';
import { isNative } from './native.js';

/**
 * `zod.ts`: one schema `<Name>Schema` for each definition, after the schemas that it refers to. They
 * check formats and return accepted values unchanged.
 */
export function emitZod(protocol: Protocol): string {
  const definitions = flattened(protocol);
  const declared = new Set<string>();
  const imports = createImports();
  const context: Context = { declared: (name) => declared.has(name), imports };
  const declarations = dependencyOrder([...definitions.values()]).map((definition) => {
    const declaration = declare(definition, definitions, context);
    declared.add(definition.name);
    return declaration;
  });
  const code = declarations.join('');
  const checked = [...definitions.values()].filter(({ node }) => !isNative(node, definitions));
  return [
    "import * as z from 'zod';\n",
    imports.text(),
    "import type * as types from './types.js';\n",
    checkImports(checked.map(({ name }) => name)),
    code,
  ].join('');
}

/** Merges intersections of objects into objects, which keep Zod's object methods. */
function flattened({ definitions }: Protocol): Definitions {
  const flattener = new Flattener(new Map(definitions.map((each) => [each.name, each])));
  const simplify = (node: Node): Node =>
    node.kind === 'intersection' ? (flattener.flatten(node) ?? node) : node;
  return new Map(
    definitions.map((each) => [each.name, { ...each, node: mapNode(each.node, simplify) }]),
  );
}

function declare(definition: Definition, definitions: Definitions, context: Context): string {
  const { name, description, node } = definition;
  if (!isNative(node, definitions))
    return `\n${docComment(description)}${checked(name, context)}\n`;
  const code = print(
    assign(`export const ${schemaName(name)}: ${annotation(definition, definitions, context)}`, [
      '/*@__PURE__*/ ',
      expressionOf(node, context),
    ]),
  );
  return `\n${docComment(description)}${code}\n`;
}

/** What Zod cannot say is left to the generated validator, so that verdicts and places of errors are the same. */
function checked(name: string, { imports }: Context): string {
  return print(
    assign(`export const ${schemaName(name)}: z.ZodType<types.${name}>`, [
      '/*@__PURE__*/ ',
      call(`${imports.value('zod', 'checked')}<types.${name}>`, [`validate${name}`]),
    ]),
  );
}

function checkImports(names: readonly string[]): string {
  if (names.length === 0) return '';
  return `import { ${names.map((name) => `validate${name}`).join(', ')} } from './validators.js';\n`;
}

/** An explicit type, which `isolatedDeclarations` requires. */
function annotation(
  { name, node }: Definition,
  definitions: Definitions,
  { imports }: Context,
): string {
  const target = resolve(node, definitions);
  const plain = plainType(target);
  if (plain !== undefined) return plain;
  const general = `z.ZodType<types.${name}>`;
  if (target.kind !== 'object') return general;
  if (target.properties.some((each) => isAwkward(each, definitions))) return general;
  switch (target.additional.kind) {
    case 'unsaid':
    case 'open':
      return `${imports.type('zod', 'LooseObject')}<types.${name}>`;
    case 'closed':
      return `${imports.type('zod', 'StrictObject')}<types.${name}>`;
    case 'typed':
      return general;
  }
}
