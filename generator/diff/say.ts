import type { Additional, Contains, Node } from '../../json-schema/index.js';
import { quote } from '../../json-schema/text.js';
import type { Capability, Party } from '../ir/index.js';

const LONGEST = 100;

/** A short text for a node, close to TypeScript. */
export function sayNode(node: Node): string {
  const text = say(node);
  return text.length > LONGEST ? `${text.slice(0, LONGEST)}…` : text;
}

function say(node: Node): string {
  switch (node.kind) {
    case 'any':
      return 'unknown';
    case 'ref':
      return node.name;
    case 'literal':
      return node.values
        .map((value) => (typeof value === 'string' ? quote(value) : String(value)))
        .join(' | ');
    case 'string':
      return withLimits(node.format ?? 'string', {
        pattern: node.pattern && quote(node.pattern),
        length: range(node.minLength, node.maxLength),
      });
    case 'number':
      return withLimits(node.integer ? 'integer' : 'number', {
        is: range(node.minimum, node.maximum),
        '>': text(node.exclusiveMinimum),
        '<': text(node.exclusiveMaximum),
        'multiple of': text(node.multipleOf),
      });
    case 'array':
      return withLimits(`${grouped(node.items)}[]`, {
        items: range(node.minItems, node.maxItems),
        first: node.prefix?.map(grouped).join(', '),
        contains: node.contains && sayContains(node.contains),
        all: node.uniqueItems === true ? 'different' : undefined,
      });
    case 'union':
      return node.members.map(grouped).join(' | ');
    case 'intersection':
      return node.members.map(grouped).join(' & ');
    case 'object': {
      const { properties, additional, patterns = [] } = node;
      const named = properties.map(({ name, required }) => `${sayKey(name)}${required ? '' : '?'}`);
      const others = additional.kind === 'unsaid' ? [] : [`*: ${sayAdditional(additional)}`];
      const matching = patterns.map(({ pattern, node: own }) => `${quote(pattern)}: ${say(own)}`);
      const all = [...named, ...matching, ...others];
      return withLimits(all.length > 0 ? `{ ${all.join(', ')} }` : '{}', {
        keys: range(node.minProperties, node.maxProperties),
        named: node.names && say(node.names),
      });
    }
    default:
      return node.kind;
  }
}

/** The rule of an object for keys that it does not name. */
export function sayAdditional(additional: Additional): string {
  switch (additional.kind) {
    case 'unsaid':
      return 'unspecified';
    case 'open':
      return 'anything';
    case 'closed':
      return 'nothing';
    case 'typed':
      return say(additional.node);
  }
}

function grouped(node: Node): string {
  const text = say(node);
  return node.kind === 'union' || node.kind === 'intersection' ? `(${text})` : text;
}

function withLimits(type: string, limits: Readonly<Record<string, string | undefined>>): string {
  const said = Object.entries(limits).flatMap(([name, limit]) =>
    limit ? [`${name} ${limit}`] : [],
  );
  return said.length > 0 ? `${type} (${said.join(', ')})` : type;
}

function sayContains({ node, min, max }: Contains): string {
  const count = min === 1 && max === undefined ? '' : `${range(min, max) ?? ''} of `;
  return count + grouped(node);
}

function text(limit: number | undefined): string | undefined {
  return limit === undefined ? undefined : String(limit);
}

function range(least: number | undefined, most: number | undefined): string | undefined {
  if (least === undefined) return most === undefined ? undefined : `≤ ${String(most)}`;
  return most === undefined ? `≥ ${String(least)}` : `${String(least)} to ${String(most)}`;
}

/** A property's name, quoted unless it is an identifier, because it is untrusted. */
export function sayKey(name: string): string {
  return /^[A-Za-z_$][\w$]*$/.test(name) ? name : quote(name);
}

export function sayParties(parties: readonly Party[]): string {
  return parties.length === 0 ? 'none' : [...parties].sort().join(', ');
}

/** `server.tools.listChanged`; `none` when nothing is needed. */
export function sayCapabilities(capabilities: readonly Capability[]): string {
  const said = capabilities.map(({ party, path }) => [party, ...path.map(sayKey)].join('.'));
  return said.length === 0 ? 'none' : said.sort().join(', ');
}
