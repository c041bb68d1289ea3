import {
  type ConditionalNode,
  type IntersectionNode,
  type Node,
  type ObjectNode,
  resolve,
  type UnevaluatedNode,
} from '../../../json-schema/index.js';
import { MOST_OPERANDS, negate, parameter, returns } from './code.js';
import type { Operator } from './code.js';
import { arrayBody, inlineArray } from './array.js';
import type { ArrayContext, TwoWays } from './array.js';
import { createNames, pascalCase, pathName } from './identifiers.js';
import type { Plan } from './plan.js';
import { isLeaf, leafExpression, looksOnce } from './leaf.js';
import type { Scope } from './scope.js';
import { constantOf } from './simplify.js';
import { createMarks } from './marks.js';
import { objectBody, readingOf } from './object.js';
import { keyBody } from './object-by-key.js';
import { propertyBody } from './object-by-property.js';
import type { ObjectContext } from './object-rules.js';
import { exclusiveBody, unionBody } from './union-body.js';
import type { UnionContext } from './union-body.js';

/** Writes the checks, which return whether a value is valid. */
export interface Checks {
  /** The function of a definition, after the functions that only it calls. */
  define(name: string, node: Node): readonly string[];
  /** The name of a node's function. */
  named(node: Node, path: string): string;
  /** A function `(v, c) => boolean` as an expression, for shapes. */
  reference(node: Node, path: string): string;
  /** A function `(v, e, c) => void` that notes the keys and items that a node describes. */
  markReference(node: Node, path: string): string;
  /** The functions that were written since the last call. */
  flush(): readonly string[];
}

/** For code that is written twice. */
const NOWHERE = (): undefined => undefined;

export function createChecks(plan: Plan, scope: Scope): Checks {
  const byForm = new Map<string, string>();
  const waysByForm = new Map<string, TwoWays>();
  /** The definitions that serve as checks of equal nodes. */
  const definitionOf = new Map<string, string>();
  let sources: string[] = [];
  const names = createNames([...plan.definitions.keys()].map((name) => `check${name}`));
  for (const [name, { node }] of plan.definitions) {
    if (plan.standIn(name) === name) definitionOf.set(plan.form(node), name);
  }

  function expression(node: Node, value: string, path: string): string {
    const constant = constantOf(node);
    if (constant !== undefined) return String(constant);
    // Stores the result of a call, because TypeScript does not narrow calls.
    const isCall = value.endsWith(')');
    if (isLeaf(node) && (!isCall || looksOnce(node))) {
      return leafExpression(node, value, scope) ?? '';
    }
    if (node.kind === 'ref') {
      const target = resolve(node, plan.definitions);
      if (/^\w+$/.test(value) && isShort(target)) {
        return leafExpression(target, value, scope) ?? '';
      }
      const args = argumentsFor(node, value);
      const name = scope.check(plan.standIn(node.name));
      if (!plan.isRecursive(node.name)) return `${name}(${args})`;
      return `${scope.value('check', 'nest')}(${name}, ${args})`;
    }
    return `${functionFor(node, path)}(${argumentsFor(node, value)})`;
  }

  /** Whether the check of a definition is not longer than its call. */
  const isShort = (node: Node): boolean => node.kind === 'literal' && node.values.length <= 2;

  const argumentsFor = (node: Node, value: string): string =>
    plan.needsContext(node) ? `${value}, c` : value;

  /** One function for all equal nodes. */
  function functionFor(node: Node, path: string): string {
    const form = plan.form(node);
    const definition = definitionOf.get(form);
    if (definition !== undefined) return scope.check(definition);
    let name = byForm.get(form);
    if (name === undefined) {
      name = names.take(`check${path}`);
      byForm.set(form, name);
      write(name, node, path);
    }
    return name;
  }

  /** The two checks of an object that is read in two ways, as calls. Equal objects share them. */
  function twoWays(node: Node, value: string, path: string): TwoWays | undefined {
    if (node.kind === 'ref' && plan.isRecursive(node.name)) return undefined;
    const target = resolve(node, plan.definitions);
    if (target.kind !== 'object' || readingOf(target, plan) !== 'both') return undefined;
    const form = plan.form(target);
    const names = waysByForm.get(form) ?? writeTwoWays(target, path);
    waysByForm.set(form, names);
    const args = argumentsFor(target, value);
    return {
      ...names,
      byProperty: `${names.byProperty}(${args})`,
      byKey: `${names.byKey}(${args})`,
    };
  }

  function writeTwoWays(node: ObjectNode, path: string): TwoWays {
    const seen = names.take(`seen${path}`);
    sources.push(`const ${seen} = /*@__PURE__*/ ${scope.value('check', 'seen')}();\n`);
    const [property, key] = [pathName(path, 'ByProperty'), pathName(path, 'ByKey')];
    return {
      byProperty: second(
        node,
        property,
        propertyBody(node, path, { ...objects, inlined: NOWHERE }),
      ),
      byKey: second(node, key, keyBody(node, path, objects)),
      seen,
    };
  }

  /** An array that is in one place of the schema is checked there, because the engine inlines few functions. */
  function inlined(node: Node, path: string): string | undefined {
    if (node.kind !== 'array' || isLeaf(node) || constantOf(node) !== undefined) return undefined;
    return plan.isShared(node) ? undefined : inlineArray(node, path, arrays);
  }

  function write(name: string, node: Node, path: string): void {
    const constant = constantOf(node);
    declare(name, node, constant === undefined ? body(node, path) : `  return ${constant};\n`);
  }

  function declare(name: string, node: Node, code: string): void {
    const value = `${parameter('v', code)}: ${scope.type('check', 'Unchecked')}`;
    const context = plan.needsContext(node)
      ? `, ${parameter('c', code)}: ${scope.type('check', 'Context')}`
      : '';
    sources.push(`function ${name}(${value}${context}): boolean {\n${code}}\n`);
  }

  function second(node: Node, path: string, code: string): string {
    const name = names.take(`check${path}`);
    declare(name, node, code);
    return name;
  }

  /** The operands, in functions of their own where there are too many for the compiler. */
  function grouped(
    node: Node,
    path: string,
    operands: readonly string[],
    operator: Operator,
  ): string[] {
    if (operands.length <= MOST_OPERANDS) return [...operands];
    const calls: string[] = [];
    for (let from = 0; from < operands.length; from += MOST_OPERANDS) {
      const some = operands.slice(from, from + MOST_OPERANDS);
      const name = second(node, pathName(path, 'Group'), returns(some, operator));
      calls.push(`${name}(${argumentsFor(node, 'v')})`);
    }
    return grouped(node, path, calls, operator);
  }

  function body(node: Node, path: string): string {
    switch (node.kind) {
      case 'array':
        return arrayBody(node, path, arrays);
      case 'object':
        return objectBody(node, path, objects);
      case 'union':
        return unionBody(node, path, unions);
      case 'exclusive':
        return exclusiveBody(node, path, unions);
      case 'not':
        return `  return ${negate(expression(node.node, 'v', pathName(path, 'Not')))};\n`;
      case 'conditional':
        return conditionalBody(node, path);
      case 'unevaluated':
        return unevaluatedBody(node, path);
      case 'intersection':
        return intersectionBody(node, path);
      default:
        return returns([expression(node, 'v', path)], '&&');
    }
  }

  function intersectionBody(node: IntersectionNode, path: string): string {
    const parts = node.members.map((each, i) =>
      expression(each, 'v', pathName(path, `Part${i + 1}`)),
    );
    return returns(grouped(node, path, parts, '&&'), '&&');
  }

  function conditionalBody(node: ConditionalNode, path: string): string {
    const part = (name: 'if' | 'then' | 'else'): string =>
      expression(node[name], 'v', pathName(path, pascalCase(name)));
    return `  return ${part('if')} ? ${part('then')} : ${part('else')};\n`;
  }

  function unevaluatedBody(node: UnevaluatedNode, path: string): string {
    const check = expression(node.node, 'v', pathName(path, 'Evaluated'));
    const rest = (rule: Node | undefined, part: string): string =>
      rule === undefined ? 'undefined' : arrow(rule, 'p', pathName(path, part));
    const nothing = `${scope.value('evaluated', 'nothing')}()`;
    const matches = scope.value('evaluated', 'restMatches');
    return [
      check === 'true' ? '' : `  if (${negate(check)}) return false;\n`,
      `  const e = ${nothing};\n`,
      ...marks.statements(node.node, pathName(path, 'Evaluated')).map((line) => `  ${line}\n`),
      `  return ${matches}(e, v, ${rest(node.properties, 'Other')}, ${rest(node.items, 'OtherItem')});\n`,
    ].join('');
  }

  /** A function of a value in a place where `c` is known. */
  function arrow(node: Node, value: string, path: string): string {
    const check = expression(node, value, path);
    return constantOf(node) === undefined ? `(${value}) => ${check}` : `() => ${check}`;
  }

  const arrays: ArrayContext = { expression, scope, grouped, twoWays };
  const objects: ObjectContext = { expression, inlined, scope, plan, twoWays, second };
  const unions: UnionContext = { expression, grouped, plan, scope };
  const marks = createMarks(plan, scope, {
    expression,
    arrow,
    takeName: (wanted) => names.take(wanted),
    add: (source) => void sources.push(source),
  });

  function flush(): readonly string[] {
    const written = sources;
    sources = [];
    return written;
  }

  return {
    define(name, node) {
      write(`check${name}`, node, name);
      return flush();
    },
    named: (node, path) =>
      node.kind === 'ref' && !plan.isRecursive(node.name)
        ? scope.check(plan.standIn(node.name))
        : functionFor(node, path),
    reference(node, path) {
      const check = expression(node, 'v', path);
      const context = parameter('c', check) === 'c' ? ', c' : '';
      return constantOf(node) === undefined ? `(v${context}) => ${check}` : `() => ${check}`;
    },
    markReference: (node, path) => marks.functionOf(node, path),
    flush,
  };
}
