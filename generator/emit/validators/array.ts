import type { ArrayNode, Contains, Node } from '../../../json-schema/index.js';
import { negate, parameter, refuseUnless, returns } from './code.js';
import type { Operator } from './code.js';
import { pathName } from './identifiers.js';
import type { Scope } from './scope.js';
import { constantOf } from './simplify.js';

/** What the check of an array needs from the checks of other nodes. */
export interface ArrayContext {
  /** The check of a node as an expression of the value `value`. */
  readonly expression: (node: Node, value: string, path: string) => string;
  readonly scope: Scope;
  /** The two checks of an object that is read in two ways, as expressions of the value `value`. */
  readonly twoWays: (node: Node, value: string, path: string) => TwoWays | undefined;
  /** The operands, in functions of their own where there are too many for the compiler. */
  readonly grouped: (
    node: Node,
    path: string,
    operands: readonly string[],
    operator: Operator,
  ) => readonly string[];
}

/** The calls of the check that reads properties and of the one that reads keys, and the constant that chooses between them. */
export interface TwoWays {
  readonly byProperty: string;
  readonly byKey: string;
  readonly seen: string;
}

/** The body of a check of an array, which the parameter `v` is. */
export function arrayBody(node: ArrayNode, path: string, context: ArrayContext): string {
  const { scope, grouped } = context;
  const good = grouped(node, path, conditions(node, path, context), '&&');
  const loops = [
    itemLoop(node, path, context),
    node.contains ? containsLoop(node.contains, path, context) : '',
    node.uniqueItems ? `  if (!${scope.value('values', 'distinct')}(v)) return false;\n` : '',
  ].join('');
  return loops === '' ? returns(good, '&&') : `${refuseUnless(good)}${loops}  return true;\n`;
}

/**
 * Statements that refuse an array, which the variable `p` is, for a place in another check. `undefined` when it takes more than a
 * loop.
 */
export function inlineArray(
  node: ArrayNode,
  path: string,
  context: ArrayContext,
): string | undefined {
  const { items, prefix, contains, uniqueItems } = node;
  if (prefix || contains || uniqueItems || constantOf(items) !== undefined) return undefined;
  return [
    refuseUnless(conditions(node, path, context, 'p')),
    itemLoop(node, path, context, ['p', 'q']),
  ].join('');
}

/** Of the length, and of the first items. */
function conditions(
  { items, prefix = [], minItems, maxItems }: ArrayNode,
  path: string,
  { expression, scope }: ArrayContext,
  value = 'v',
): string[] {
  const isClosed = constantOf(items) === false;
  return [
    `${scope.value('check', 'list')}(${value})`,
    ...(minItems === undefined ? [] : [`${value}.length >= ${minItems}`]),
    ...(maxItems === undefined ? [] : [`${value}.length <= ${maxItems}`]),
    ...prefix.flatMap((each, index) => {
      if (constantOf(each) === true) return [];
      const check = expression(each, `v[${index}]`, pathName(path, `Item${index + 1}`));
      return [`(v.length <= ${index} || ${check})`];
    }),
    ...(isClosed ? [prefix.length === 0 ? 'v.length === 0' : `v.length <= ${prefix.length}`] : []),
  ];
}

function itemLoop(
  { items, prefix = [] }: ArrayNode,
  path: string,
  { expression, twoWays, scope }: ArrayContext,
  [list, item]: readonly [string, string] = ['v', 'p'],
): string {
  if (constantOf(items) !== undefined) return '';
  const name = items.kind === 'ref' ? items.name : pathName(path, 'Item');
  const ways = twoWays(items, item, name);
  const check = ways ? `few ? ${ways.byProperty} : ${ways.byKey}` : expression(items, item, name);
  return [
    ways ? `  const few = ${scope.value('check', 'alike')}(${ways.seen}, ${list});\n` : '',
    `  for (let i = ${prefix.length}; i < ${list}.length; i++) {\n`,
    `    const ${item} = ${list}[i];\n`,
    `    if (${negate(check)}) return false;\n`,
    '  }\n',
  ].join('');
}

function containsLoop(
  { node, min, max }: Contains,
  path: string,
  { expression }: ArrayContext,
): string {
  const enough = [
    ...(min > 0 ? [`n >= ${min}`] : []),
    ...(max === undefined ? [] : [`n <= ${max}`]),
  ];
  if (enough.length === 0) return '';
  const check = expression(node, 'p', pathName(path, 'Contained'));
  return [
    '  let n = 0;\n',
    check === 'true'
      ? '  for (const _ of v) n++;\n'
      : `  for (const ${parameter('p', check)} of v) if (${check}) n++;\n`,
    refuseUnless(enough),
  ].join('');
}
