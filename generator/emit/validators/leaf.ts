import type { Node, NumberNode, StringNode } from '../../ir/index.js';
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
    case 'number': {
      const check = scope.value('check', node.integer ? 'whole' : 'finite');
      return all([`${check}(${value})`, ...numberLimits(node, value)]);
    }
    case 'literal':
      return node.values.length > MANY
        ? `${scope.setOf(node.values)}.has(${value})`
        : any(node.values.map((each) => `${value} === ${primitive(each)}`));
    case 'object':
      return isBare(node) ? `${scope.value('check', 'record')}(${value})` : undefined;
    case 'array': {
      const bare = node.items.kind === 'any' && !node.minItems && node.maxItems === undefined;
      return bare ? `${scope.value('check', 'list')}(${value})` : undefined;
    }
    case 'union':
      return node.members.every(isLeaf)
        ? any(node.members.map((each) => leafExpression(each, value, scope) ?? ''))
        : undefined;
    default:
      return undefined;
  }
}

export function isLeaf(node: Node): boolean {
  switch (node.kind) {
    case 'object':
      return isBare(node);
    case 'array':
      return node.items.kind === 'any' && !node.minItems && node.maxItems === undefined;
    case 'union':
      return node.members.every(isLeaf);
    case 'intersection':
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

const LIMITS = new Set(['minLength', 'maxLength', 'pattern', 'format', 'minimum', 'maximum']);

function isBare(node: Extract<Node, { kind: 'object' }>): boolean {
  return (
    (node.additional.kind === 'unsaid' || node.additional.kind === 'open') &&
    node.properties.every((property) => !property.required && property.node.kind === 'any')
  );
}

function stringLimits(node: StringNode, value: string, scope: Scope): string[] {
  const limits: string[] = [];
  const length = (): string => `${scope.value('characters', 'characters')}(${value})`;
  if (node.minLength) limits.push(`${length()} >= ${node.minLength}`);
  if (node.maxLength !== undefined) limits.push(`${length()} <= ${node.maxLength}`);
  if (node.pattern !== undefined) limits.push(`${regularExpression(node.pattern)}.test(${value})`);
  if (node.format) limits.push(`(!c.formats || ${scope.format(node.format)}(${value}))`);
  return limits;
}

function numberLimits(node: NumberNode, value: string): string[] {
  const limits: string[] = [];
  if (node.minimum !== undefined) limits.push(`${value} >= ${node.minimum}`);
  if (node.maximum !== undefined) limits.push(`${value} <= ${node.maximum}`);
  return limits;
}

/**
 * `source` is the pattern in a form that is valid between slashes. It escapes quotes, non-ASCII
 * characters and lone surrogates, which a file in UTF-8 or another tool might change.
 */
function regularExpression(pattern: string): string {
  const { source } = new RegExp(pattern, 'u');
  const plain = source.replace(/['"`]|[^\x20-\x7e]/gu, (character) => {
    const code = character.codePointAt(0) ?? 0;
    return `\\u{${code.toString(16)}}`;
  });
  return `/${plain}/u`;
}

function all(conditions: readonly string[]): string {
  return conditions.length === 1 ? (conditions[0] ?? '') : `(${conditions.join(' && ')})`;
}

function any(conditions: readonly string[]): string {
  if (conditions.length === 0) return 'false';
  return conditions.length === 1 ? (conditions[0] ?? '') : `(${conditions.join(' || ')})`;
}
