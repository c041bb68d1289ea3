import type { ArrayNode, Contains, Node } from '../../ir/index.js';
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
  /** The operands, in functions of their own where there are too many for the compiler. */
  readonly grouped: (
    node: Node,
    path: string,
    operands: readonly string[],
    operator: Operator,
  ) => readonly string[];
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

/** Of the length, and of the first items. */
function conditions(
  { items, prefix = [], minItems, maxItems }: ArrayNode,
  path: string,
  { expression, scope }: ArrayContext,
): string[] {
  const isClosed = constantOf(items) === false;
  return [
    `${scope.value('check', 'list')}(v)`,
    ...(minItems === undefined ? [] : [`v.length >= ${minItems}`]),
    ...(maxItems === undefined ? [] : [`v.length <= ${maxItems}`]),
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
  { expression }: ArrayContext,
): string {
  if (constantOf(items) !== undefined) return '';
  return [
    `  for (let i = ${prefix.length}; i < v.length; i++) {\n`,
    '    const p = v[i];\n',
    `    if (${negate(expression(items, 'p', pathName(path, 'Item')))}) return false;\n`,
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
