import {
  type ArrayNode,
  type ConditionalNode,
  type Contains,
  type JsonPrimitive,
  literalsOf,
  type Node,
  type NumberNode,
  type ObjectNode,
  type Property,
  type StringNode,
  type UnevaluatedNode,
} from '../../../json-schema/index.js';
import { quoted } from '../format/layout.js';
import { FORMAT_CHECKERS } from '../formats.js';
import { isLeaf, leafExpression } from './leaf.js';
import { createNames, pascalCase } from './identifiers.js';
import type { Plan } from './plan.js';
import { primitive } from './scope.js';
import type { Scope } from './scope.js';
import { constantOf, MANY } from './simplify.js';
import type { Checks } from './checks.js';
import { areDisjoint, planUnion } from './union.js';
import type { Dispatch } from './union.js';

/**
 * Writes the shapes for error reports. Each shape is made lazily, so loading makes none, and the order of
 * definitions does not matter.
 */
export interface Shapes {
  define(name: string, node: Node): string;
  /** The name of the shape of a node outside definitions. */
  lazy(node: Node, path: string): string;
  /** The constants that the shapes so far share, and the shapes outside definitions. */
  leaves(): readonly string[];
}

export function createShapes(plan: Plan, scope: Scope, checks: Checks): Shapes {
  const names = createNames([]);
  const leaves = new Map<string, { readonly name: string; readonly source: string }>();

  const use = (name: string): string => scope.value('shapes', name);
  const apply = (name: string): string => scope.value('applicators', name);

  /** The shapes of nodes outside definitions, by their names. */
  const lazies = new Map<string, string>();

  function defined(name: string, make: string, node: Node): string {
    const type = scope.type('report', 'Shape');
    return `const ${name}: ${type} = /*@__PURE__*/ ${make}() => ${shape(node, 0)});\n`;
  }

  function shape(node: Node, depth: number): string {
    const literals = literalsOf(node, plan.definitions);
    if (literals && node.kind !== 'ref') return oneLiteral(literals, depth);
    if (node.kind !== 'any' && isLeaf(node)) return leaf(node);
    switch (node.kind) {
      case 'any':
        return use('anything');
      case 'ref':
        return scope.shape(plan.standIn(node.name));
      case 'array':
        return arrayOf(node, depth);
      case 'object':
        return objectOf(node, depth);
      case 'union':
        return unionOf(node.members, depth);
      case 'exclusive':
        return exclusiveOf(node.members, depth);
      case 'not':
        return `${use('leaf')}('something else', ${checks.reference(node, 'Not')})`;
      case 'conditional':
        return conditionalOf(node, depth);
      case 'unevaluated':
        return unevaluatedOf(node, depth);
      case 'intersection':
        return call(
          use('both'),
          node.members.map((each) => shape(each, depth + 1)),
          depth,
        );
      default:
        return leaf(node);
    }
  }

  function oneLiteral(values: readonly JsonPrimitive[], depth: number): string {
    return values.length > MANY
      ? `${use('among')}(${scope.setOf(values)})`
      : call(use('one'), values.map(primitive), depth);
  }

  function leaf(node: Node): string {
    const expected = expectation(node);
    const constant = constantOf(node);
    const condition = String(constant ?? leafExpression(node, 'v', scope) ?? true);
    let known = leaves.get(condition);
    if (!known) {
      const name = names.take(nameOf(node, expected));
      const parameters = constant !== undefined ? '()' : plan.needsContext(node) ? '(v, c)' : '(v)';
      const source =
        `const ${name}: ${scope.type('report', 'Shape')} = /*@__PURE__*/ ${use('leaf')}(${quoted(expected)}, ` +
        `${parameters} => ${bare(condition)});\n`;
      leaves.set(condition, (known = { name, source }));
    }
    return known.name;
  }

  function exclusiveOf(all: readonly Node[], depth: number): string {
    if (areDisjoint(all, plan.definitions)) return unionOf(all, depth);
    const accepts = all.map((each, i) => checks.reference(each, `Option${i + 1}`));
    const shapes = all.map((each) => shape(each, depth + 1));
    return call(apply('exactlyOne'), [`[${accepts.join(', ')}]`, ...shapes], depth);
  }

  function conditionalOf(node: ConditionalNode, depth: number): string {
    const part = (branch: Node): string =>
      branch.kind === 'any' ? apply('fine') : shape(branch, depth + 1);
    const args = [checks.reference(node.if, 'If'), part(node.then), part(node.else)];
    return call(apply('conditional'), args, depth);
  }

  function unevaluatedOf({ node, properties, items }: UnevaluatedNode, depth: number): string {
    const rule = (each: Node | undefined): string => (each ? shape(each, depth + 2) : 'undefined');
    const args = [checks.markReference(node, 'Evaluated'), rule(properties), rule(items)];
    while (args.at(-1) === 'undefined') args.pop();
    const rest = call(apply('unevaluated'), args, depth + 1);
    return node.kind === 'any' ? rest : call(use('both'), [shape(node, depth + 1), rest], depth);
  }

  function arrayOf(node: ArrayNode, depth: number): string {
    const { items, prefix, minItems, maxItems, contains, uniqueItems } = node;
    const limits =
      maxItems !== undefined
        ? [String(minItems ?? 0), String(maxItems)]
        : minItems !== undefined
          ? [String(minItems)]
          : [];
    const rest = prefix && items.kind === 'any' ? apply('fine') : shape(items, depth + 1);
    const base = prefix
      ? call(
          apply('tuple'),
          [`[${prefix.map((each) => shape(each, depth + 1)).join(', ')}]`, rest, ...limits],
          depth,
        )
      : call(use('each'), [rest, ...limits], depth);
    const more = [
      ...(contains ? [containsOf(contains)] : []),
      ...(uniqueItems
        ? [`${apply('demand')}('free of duplicates', ${checks.reference(UNIQUE, 'Unique')})`]
        : []),
    ];
    return more.length === 0 ? base : call(use('both'), [base, ...more], depth);
  }

  function containsOf({ node, min, max }: Contains): string {
    const args = [checks.reference(node, 'Contained'), String(min)];
    if (max !== undefined) args.push(String(max));
    return `${apply('contains')}(${args.join(', ')})`;
  }

  function objectOf(node: ObjectNode, depth: number): string {
    const { properties, additional, patterns } = node;
    const required = properties.filter((property) => property.required);
    const optional = properties.filter((property) => !property.required);
    const rest = restOf(node, depth);
    const useful = rest ? optional : optional.filter((each) => each.node.kind !== 'any');
    const args = [members(required, depth), members(useful, depth)];
    if (rest && !patterns) args.push(rest);
    if (args.length === 2 && useful.length === 0) args.pop();
    const base = `${use('object')}(${args.join(', ')})`;
    const more = [
      ...keysOf(node, additional.kind === 'unsaid' ? undefined : rest, depth),
      ...sizeOf(node),
    ];
    return more.length === 0 ? base : call(use('both'), [base, ...more], depth);
  }

  function restOf({ additional }: ObjectNode, depth: number): string | undefined {
    if (additional.kind === 'typed') return shape(additional.node, depth + 1);
    return additional.kind === 'closed' ? leaf({ kind: 'never' }) : undefined;
  }

  /** The rules for all keys. */
  function keysOf(node: ObjectNode, rest: string | undefined, depth: number): string[] {
    const { patterns, names: rule, properties } = node;
    if (!patterns && !rule) return [];
    const listed = properties.filter((each) => !each.unlisted).map(({ name }) => quoted(name));
    const rules = (patterns ?? []).map(({ pattern, node: value }) => {
      const accepted = value.kind === 'any' ? apply('fine') : shape(value, depth + 2);
      return `[(key) => ${scope.pattern(pattern)}.test(key), ${accepted}]`;
    });
    const args = [
      `[${rules.join(', ')}]`,
      `[${listed.join(', ')}]`,
      (patterns && rest) ?? 'undefined',
      rule ? checks.reference(rule, 'Name') : 'undefined',
    ];
    return [call(apply('keyed'), args, depth + 1)];
  }

  function sizeOf(node: ObjectNode): string[] {
    const { minProperties, maxProperties } = node;
    if (!minProperties && maxProperties === undefined) return [];
    const most = maxProperties === undefined ? '' : ` at most ${maxProperties}`;
    const least = minProperties ? ` at least ${minProperties}` : '';
    const words = `an object with${[least, most].filter(Boolean).join(' and')} properties`;
    const bounds: Node = {
      kind: 'object',
      properties: [],
      additional: { kind: 'unsaid' },
      hasProperties: false,
      ...(minProperties && { minProperties }),
      ...(maxProperties !== undefined && { maxProperties }),
    };
    return [`${apply('demand')}(${quoted(words)}, ${checks.reference(bounds, 'Size')})`];
  }

  function members(properties: readonly Property[], depth: number): string {
    return entries(
      properties.map(({ name, node }) => `${memberKey(name)}: ${shape(node, depth + 1)}`),
      depth,
    );
  }

  function unionOf(all: readonly Node[], depth: number): string {
    const { dispatch, rest } = planUnion(all, plan);
    const options = rest.map((each) => shape(each, depth + 1));
    if (dispatch) options.unshift(dispatchOn(dispatch, depth));
    return either(options, depth);
  }

  function either(options: readonly string[], depth: number): string {
    const [only, ...others] = options;
    return only !== undefined && others.length === 0 ? only : call(use('either'), options, depth);
  }

  function dispatchOn({ property, cases, absent }: Dispatch, depth: number): string {
    const known = cases.map(
      ({ value, members }) => `${memberKey(value)}: ${oneOf(members, depth + 1)}`,
    );
    const args = [quoted(property), entries(known, depth)];
    if (absent.length > 0) args.push(oneOf(absent, depth));
    return `${use('by')}(${args.join(', ')})`;
  }

  function oneOf(members: readonly Node[], depth: number): string {
    return either(
      members.map((each) => shape(each, depth + 1)),
      depth,
    );
  }

  return {
    define(name, node) {
      const make = plan.isRecursive(name)
        ? `${use('deep')}(`
        : `${use('shape')}(${scope.check(name)}, `;
      return defined(`shape${name}`, make, node);
    },
    lazy(node, path) {
      if (node.kind === 'ref') return scope.shape(plan.standIn(node.name));
      const check = checks.named(node, path);
      const own = check.slice('check'.length);
      if (plan.definitions.has(own)) return scope.shape(own);
      const name = `shape${own}`;
      if (!lazies.has(name)) lazies.set(name, defined(name, `${use('shape')}(${check}, `, node));
      return name;
    },
    leaves: () => [...[...leaves.values()].map(({ source }) => source), ...lazies.values()],
  };
}

const UNIQUE: Node = { kind: 'array', items: { kind: 'any' }, uniqueItems: true };

/** A key of an object literal, which never sets the prototype. */
function memberKey(name: string): string {
  if (name === '__proto__') return `['__proto__']`;
  return /^[A-Za-z_$][\w$]*$/.test(name) ? name : quoted(name);
}

function call(name: string, args: readonly string[], depth: number): string {
  const line = `${name}(${args.join(', ')})`;
  if (line.length + depth * 2 <= 80 || args.length < 2) return line;
  const indent = '  '.repeat(depth + 1);
  const parts = args.map((arg) => `${indent}${arg},\n`);
  return `${name}(\n${parts.join('')}${'  '.repeat(depth)})`;
}

function entries(items: readonly string[], depth: number): string {
  if (items.length === 0) return '{}';
  const line = `{ ${items.join(', ')} }`;
  if (line.length + depth * 2 <= 80 && !line.includes('\n')) return line;
  const indent = '  '.repeat(depth + 1);
  return `{\n${items.map((item) => `${indent}${item},\n`).join('')}${'  '.repeat(depth)}}`;
}

function bare(condition: string): string {
  return condition.startsWith('(') ? condition.slice(1, -1) : condition;
}

/** The expectation of a leaf, to follow "must be". */
function expectation(node: Node): string {
  switch (node.kind) {
    case 'string':
      return stringWords(node);
    case 'number':
      return `${node.integer ? 'an integer' : 'a number'}${range(node)}`;
    case 'object':
      return 'an object';
    case 'array':
      return 'an array';
    case 'constant':
      return cut(JSON.stringify(node.value));
    case 'boolean':
      return 'a boolean';
    case 'never':
      return 'absent';
    case 'literal':
      return literalWords(node.values);
    case 'union':
      return [...new Set(node.members.map(expectation))].join(' or ');
    default:
      return node.kind;
  }
}

/** Not made of the schema's texts, which may be long or not valid as names. */
function nameOf(node: Node, expected: string): string {
  if (expected === 'null') return 'onlyNull';
  if (hasLiterals(node)) return 'oneOfThese';
  const words = pascalCase(expected);
  return words.charAt(0).toLowerCase() + words.slice(1);
}

const hasLiterals = (node: Node): boolean =>
  node.kind === 'literal' ||
  node.kind === 'constant' ||
  (node.kind === 'union' && node.members.some(hasLiterals));

/** Cuts texts of a schema, because they may be long and are in every error message. */
function literalWords(values: readonly JsonPrimitive[]): string {
  const words = cut(values.map((value) => JSON.stringify(value)).join(', '));
  return values.length > 1 ? `one of ${words}` : words;
}

const cut = (text: string): string => (text.length > 2000 ? `${text.slice(0, 2000)}…` : text);

function stringWords({ format, pattern, minLength, maxLength }: StringNode): string {
  const size =
    minLength && maxLength !== undefined
      ? ` of ${minLength} to ${maxLength} characters`
      : minLength
        ? ` of at least ${characters(minLength)}`
        : maxLength !== undefined
          ? ` of at most ${characters(maxLength)}`
          : '';
  const match = pattern === undefined ? '' : ` that matches ${cut(pattern)}`;
  return `${format ? FORMAT_CHECKERS[format].words : 'a string'}${size}${match}`;
}

const characters = (count: number): string => `${count} character${count === 1 ? '' : 's'}`;

function range(node: NumberNode): string {
  const { minimum, maximum, exclusiveMinimum, exclusiveMaximum, multipleOf } = node;
  const more = [
    ...(exclusiveMinimum === undefined ? [] : [` above ${exclusiveMinimum}`]),
    ...(exclusiveMaximum === undefined ? [] : [` below ${exclusiveMaximum}`]),
    ...(multipleOf === undefined ? [] : [` that is a multiple of ${multipleOf}`]),
  ];
  return inclusive(minimum, maximum) + more.join('');
}

function inclusive(minimum: number | undefined, maximum: number | undefined): string {
  if (minimum !== undefined && maximum !== undefined) return ` from ${minimum} to ${maximum}`;
  if (minimum !== undefined) return ` of at least ${minimum}`;
  return maximum === undefined ? '' : ` of at most ${maximum}`;
}
