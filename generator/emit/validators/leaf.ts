import type { JsonPrimitive, Node, NumberNode, StringNode } from '../../ir/index.js';
import { quoted } from '../../format/layout.js';
import { formatChecker } from '../formats/index.js';

/**
 * An expression that is true when the value of the expression `value` matches the node; `undefined`
 * for nodes that need a function of their own.
 */
export function leafExpression(node: Node, value: string): string | undefined {
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
      return all([`typeof ${value} === 'string'`, ...stringLimits(node, value)]);
    case 'number':
      return all([`${node.integer ? 'whole' : 'finite'}(${value})`, ...numberLimits(node, value)]);
    case 'literal':
      return any(node.values.map((each) => `${value} === ${primitive(each)}`));
    case 'object':
      return isBare(node) ? `record(${value})` : undefined;
    case 'array': {
      const bare = node.items.kind === 'any' && !node.minItems && node.maxItems === undefined;
      return bare ? `list(${value})` : undefined;
    }
    case 'union': {
      const members = node.members.map((each) => leafExpression(each, value));
      return members.every((each) => each !== undefined) ? any(members) : undefined;
    }
    default:
      return undefined;
  }
}

function isBare(node: Extract<Node, { kind: 'object' }>): boolean {
  return (
    (node.additional.kind === 'unsaid' || node.additional.kind === 'open') &&
    node.properties.every((property) => !property.required && property.node.kind === 'any')
  );
}

function stringLimits(node: StringNode, value: string): string[] {
  const limits: string[] = [];
  if (node.minLength) limits.push(`characters(${value}) >= ${node.minLength}`);
  if (node.maxLength !== undefined) limits.push(`characters(${value}) <= ${node.maxLength}`);
  if (node.pattern !== undefined) limits.push(`${regularExpression(node.pattern)}.test(${value})`);
  if (node.format) limits.push(`(!c.formats || ${formatChecker(node.format)}(${value}))`);
  return limits;
}

function numberLimits(node: NumberNode, value: string): string[] {
  const limits: string[] = [];
  if (node.minimum !== undefined) limits.push(`${value} >= ${node.minimum}`);
  if (node.maximum !== undefined) limits.push(`${value} <= ${node.maximum}`);
  return limits;
}

/** `source` is the pattern in a form that may stand between slashes; free of quotes, to be safe. */
function regularExpression(pattern: string): string {
  return `/${new RegExp(pattern, 'u').source.replaceAll("'", '\\x27').replaceAll('"', '\\x22')}/u`;
}

export function primitive(value: JsonPrimitive): string {
  return typeof value === 'string' ? quoted(value) : String(value);
}

function all(conditions: readonly string[]): string {
  return conditions.length === 1 ? (conditions[0] ?? '') : `(${conditions.join(' && ')})`;
}

function any(conditions: readonly string[]): string {
  if (conditions.length === 0) return 'false';
  return conditions.length === 1 ? (conditions[0] ?? '') : `(${conditions.join(' || ')})`;
}
