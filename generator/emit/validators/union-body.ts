import {
  type ExclusiveNode,
  type Node,
  resolve,
  type UnionNode,
} from '../../../json-schema/index.js';
import { quoted } from '../format/layout.js';
import { join, MOST_OPERANDS, returns } from './code.js';
import type { Operator } from './code.js';
import { pascalCase, pathName } from './identifiers.js';
import { isLeaf } from './leaf.js';
import { readingOf } from './object.js';
import { objectRules, readProperty } from './object-rules.js';
import type { Plan } from './plan.js';
import type { Scope } from './scope.js';
import { constantOf } from './simplify.js';
import { areDisjoint, ownRequired, planUnion } from './union.js';
import type { Dispatch } from './union.js';

/** How a union writes the checks of its members. */
export interface UnionContext {
  readonly plan: Plan;
  readonly scope: Scope;
  readonly expression: (node: Node, value: string, path: string) => string;
  /** The operands, in functions of their own where there are too many. */
  readonly grouped: (
    node: Node,
    path: string,
    operands: readonly string[],
    operator: Operator,
  ) => string[];
}

export function unionBody(
  node: UnionNode | ExclusiveNode,
  path: string,
  context: UnionContext,
): string {
  const { plan, scope, grouped } = context;
  const { dispatch, rest } = planUnion(node.members, plan);
  const others = grouped(node, path, alternatives(rest, path, context), '||');
  if (!dispatch) return returns(others, '||');
  const tail = others.length > 0 ? returns(others, '||') : '  return false;\n';
  return `  if (${objectRules(scope).join(' && ')}) {\n${switchOn(dispatch, path, context)}  }\n${tail}`;
}

/** Counts the members that match, unless only one can. */
export function exclusiveBody(node: ExclusiveNode, path: string, context: UnionContext): string {
  const { members } = node;
  if (areDisjoint(members, context.plan.definitions)) return unionBody(node, path, context);
  const checks = members.map((each, i) =>
    context.expression(each, 'v', pathName(path, `Option${i + 1}`)),
  );
  return [
    '  let n = 0;\n',
    ...(checks.length > MOST_OPERANDS
      ? [
          `  const parts = [\n${checks.map((check) => `    () => ${check},\n`).join('')}  ];\n`,
          '  for (const part of parts) if (part() && ++n > 1) return false;\n',
        ]
      : checks.map((check) => `  if (${check} && ++n > 1) return false;\n`)),
    '  return n === 1;\n',
  ].join('');
}

/** Whether the check of a member may read several keys before it meets one that it refuses. */
function readsKeys(node: Node, plan: Plan): boolean {
  const target = resolve(node, plan.definitions);
  return target.kind === 'object' && readingOf(target, plan) !== 'property';
}

/** Puts members without a call first, and leaves out members that accept nothing. */
function alternatives(all: readonly Node[], path: string, context: UnionContext): string[] {
  const { plan } = context;
  const members = all.filter((each) => constantOf(each) !== false);
  const leaves = members.filter(isLeaf).map((each) => context.expression(each, 'v', path));
  const rest = members.filter((each) => !isLeaf(each));
  const others = rest.map((each, index) => {
    const check = context.expression(each, 'v', pathName(path, `Option${index + 1}`));
    const key = readsKeys(each, plan) ? ownRequired(each, rest, plan.definitions) : undefined;
    return key === undefined ? check : `(v?.[${quoted(key)}] !== undefined && ${check})`;
  });
  return [...leaves, ...others];
}

function switchOn(
  { property, cases: known, absent }: Dispatch,
  path: string,
  context: UnionContext,
): string {
  const answers = known.map(({ value, members }) => ({
    labels: [`case ${quoted(value)}:`],
    answer: join(alternatives(members, pathName(path, pascalCase(value)), context), '||'),
  }));
  if (absent.length > 0) {
    const answer = join(alternatives(absent, pathName(path, 'Else'), context), '||');
    const same = answers.find((each) => each.answer === answer);
    if (same) same.labels.push('case undefined:');
    else answers.push({ labels: ['case undefined:'], answer });
  }
  return [
    `    switch (${readProperty(property, context.scope)}) {\n`,
    ...answers.flatMap(({ labels, answer }) => [
      ...labels.map((label) => `      ${label}\n`),
      `        return ${answer};\n`,
    ]),
    '      default:\n        return false;\n    }\n',
  ].join('');
}
