import type {
  ArrayNode,
  JsonPrimitive,
  Node,
  NumberNode,
  StringNode,
} from '../../../json-schema/index.js';
import { MOST_OPERANDS } from './code.js';
import { primitive } from './scope.js';
import type { Scope } from './scope.js';
import { MANY } from './simplify.js';

/**
 * An expression that is true when the value of the expression `value` matches the node; `undefined` for
 * nodes that need a function.
 */
export function leafExpression(node: Node, value: string, scope: Scope): string | undefined {
  switch (node.kind) {
    case 'any':
      return 'true';
    case 'never':
      return 'false';
    case 'null':
      return `${value} === null`;
    case 'boolean':
      return `typeof ${value} === 'boolean'`;
    case 'string':
      return all([`typeof ${value} === 'string'`, ...stringLimits(node, value, scope)]);
    case 'number':
      return all([numberType(node, value, scope), ...numberLimits(node, value, scope)]);
    case 'literal':
      return node.values.length > MANY
        ? `${scope.setOf(node.values)}.has(${value})`
        : oneOf(node.values, value);
    case 'constant':
      return `${scope.value('values', 'same')}(${value}, ${scope.constant(node.value)})`;
    case 'object':
      return isBare(node) ? `${scope.value('check', 'record')}(${value})` : undefined;
    case 'array':
      return isBareArray(node) ? `${scope.value('check', 'list')}(${value})` : undefined;
    case 'union':
      return isLeaf(node)
        ? any(node.members.map((each) => leafExpression(each, value, scope) ?? ''))
        : undefined;
    default:
      return undefined;
  }
}

/** The engine compares texts quickly where it meets nothing else. */
const SEVERAL = 9;

function oneOf(values: readonly JsonPrimitive[], value: string): string {
  const same = any(values.map((each) => `${value} === ${primitive(each)}`));
  const areTexts = values.every((each) => typeof each === 'string');
  if (values.length < SEVERAL || !areTexts) return same;
  return all([`typeof ${value} === 'string'`, same]);
}

/** Limits on both sides exclude the numbers that are not finite. */
function numberType(node: NumberNode, value: string, scope: Scope): string {
  if (node.integer) return `${scope.value('check', 'whole')}(${value})`;
  const { minimum, maximum, exclusiveMinimum, exclusiveMaximum } = node;
  const isBounded =
    (minimum ?? exclusiveMinimum) !== undefined && (maximum ?? exclusiveMaximum) !== undefined;
  return isBounded ? `typeof ${value} === 'number'` : `${scope.value('check', 'finite')}(${value})`;
}

export function isLeaf(node: Node): boolean {
  switch (node.kind) {
    case 'object':
      return isBare(node);
    case 'array':
      return isBareArray(node);
    case 'union':
      return node.members.length <= MOST_OPERANDS && node.members.every(isLeaf);
    case 'intersection':
    case 'exclusive':
    case 'not':
    case 'conditional':
    case 'unevaluated':
    case 'ref':
      return false;
    default:
      return true;
  }
}

/** Whether the expression reads the value once, so that the value may be the result of a call. */
export function looksOnce(node: Node): boolean {
  if (node.kind === 'literal') return node.values.length === 1 || node.values.length > MANY;
  if (node.kind === 'union') return false;
  return Object.keys(node).every((key) => !LIMITS.has(key));
}

const LIMITS = new Set([
  ...['minLength', 'maxLength', 'pattern', 'format'],
  ...['minimum', 'maximum', 'exclusiveMinimum', 'exclusiveMaximum', 'multipleOf'],
]);

function isBareArray(node: ArrayNode): boolean {
  const { items, prefix, minItems, maxItems, uniqueItems, contains } = node;
  const free = !minItems && maxItems === undefined && !uniqueItems && !contains;
  return free && items.kind === 'any' && !prefix;
}

function isBare(node: Extract<Node, { kind: 'object' }>): boolean {
  return (
    (node.additional.kind === 'unsaid' || node.additional.kind === 'open') &&
    !node.patterns &&
    !node.names &&
    !node.minProperties &&
    node.maxProperties === undefined &&
    node.properties.every((property) => !property.required && property.node.kind === 'any')
  );
}

function stringLimits(node: StringNode, value: string, scope: Scope): string[] {
  const limits: string[] = [];
  const { minLength, maxLength } = node;
  const limit = (name: 'atLeast' | 'atMost', length: number): string =>
    `${scope.value('characters', name)}(${value}, ${length})`;
  if (minLength) limits.push(minLength === 1 ? `${value} !== ''` : limit('atLeast', minLength));
  if (maxLength !== undefined) {
    limits.push(maxLength === 0 ? `${value} === ''` : limit('atMost', maxLength));
  }
  if (node.pattern !== undefined) limits.push(`${scope.pattern(node.pattern)}.test(${value})`);
  if (node.format) limits.push(`(!c.formats || ${scope.format(node.format)}(${value}))`);
  return limits;
}

function divides(value: string, multipleOf: number, scope: Scope): string {
  if (multipleOf === 1) return `Number.isInteger(${value})`;
  return `${scope.value('values', 'multiple')}(${value}, ${multipleOf})`;
}

function numberLimits(node: NumberNode, value: string, scope: Scope): string[] {
  const limits: string[] = [];
  const { minimum, maximum, exclusiveMinimum, exclusiveMaximum, multipleOf } = node;
  if (minimum !== undefined) limits.push(`${value} >= ${minimum}`);
  if (maximum !== undefined) limits.push(`${value} <= ${maximum}`);
  if (exclusiveMinimum !== undefined) limits.push(`${value} > ${exclusiveMinimum}`);
  if (exclusiveMaximum !== undefined) limits.push(`${value} < ${exclusiveMaximum}`);
  if (multipleOf !== undefined) limits.push(divides(value, multipleOf, scope));
  return limits;
}

function all(conditions: readonly string[]): string {
  const text = conditions.join(' && ');
  return conditions.length === 1 ? text : `(${text})`;
}

function any(conditions: readonly string[]): string {
  const text = conditions.join(' || ');
  return conditions.length === 1 ? text : `(${text})`;
}
