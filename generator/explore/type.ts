import type { JsonValue, Node, ObjectNode } from '../ir/index.js';
import { html, joined } from '../page/index.js';
import type { Value } from '../page/index.js';
import { typeLink } from './names.js';

/** The largest number of levels and of parts that a type shows. */
const MOST = { levels: 6, parts: 200 };

/** A type as a line of text, close to TypeScript, with links to definitions. */
export function typeOf(node: Node, known: ReadonlySet<string>, level = 0): Value {
  if (level > MOST.levels) return '…';
  const inner = (each: Node): Value => typeOf(each, known, level + 1);
  const grouped = (each: Node): Value => (isCompound(each) ? ['(', inner(each), ')'] : inner(each));
  const list = (members: readonly Node[], separator: string): Value =>
    joined(cut(members.map(grouped)), separator);
  switch (node.kind) {
    case 'any':
      return 'any value';
    case 'never':
      return 'no value';
    case 'ref':
      return typeLink(node.name, known);
    case 'literal':
      return joined(cut(node.values.map(literal)), ' | ');
    case 'constant':
      return literal(node.value);
    case 'string':
    case 'number':
      return limited(node.kind === 'number' && node.integer ? 'integer' : node.kind, node);
    case 'array':
      return limited([grouped(node.items), '[]'], node);
    case 'object':
      return objectType(node, inner);
    case 'union':
      return list(node.members, ' | ');
    case 'exclusive':
      return ['exactly one of ', list(node.members, ' | ')];
    case 'intersection':
      return list(node.members, ' & ');
    case 'not':
      return ['not ', grouped(node.node)];
    case 'conditional':
      return ['if ', grouped(node.if), ' then ', grouped(node.then), ' else ', grouped(node.else)];
    case 'unevaluated':
      return [grouped(node.node), ' and no other keys or items'];
    default:
      return node.kind;
  }
}

const COMPOUND: ReadonlySet<Node['kind']> = new Set(['union', 'exclusive', 'intersection', 'not']);

function isCompound(node: Node): boolean {
  return COMPOUND.has(node.kind) || (node.kind === 'literal' && node.values.length > 1);
}

export function literal(value: JsonValue): Value {
  const text = JSON.stringify(value);
  return html`<code class="literal">${text.length > 200 ? `${text.slice(0, 200)}…` : text}</code>`;
}

function cut(parts: readonly Value[]): Value[] {
  if (parts.length <= MOST.parts) return [...parts];
  return [...parts.slice(0, MOST.parts), `${String(parts.length - MOST.parts)} more`];
}

function objectType(node: ObjectNode, inner: (node: Node) => Value): Value {
  const named = node.properties.map(({ name, required, node: type }): Value => [
    html`<code>${name}</code>`,
    required ? ': ' : '?: ',
    inner(type),
  ]);
  const others: Value[] =
    node.additional.kind === 'typed' ? [['[key]: ', inner(node.additional.node)]] : [];
  const parts = cut([...named, ...others]);
  return parts.length === 0 ? 'object' : ['{ ', joined(parts, '; '), ' }'];
}

/** The keys that restrict a value, with the words for them. */
const LIMITS: Readonly<Record<string, (value: string) => string>> = {
  format: (value) => value,
  pattern: (value) => `matches /${value}/`,
  minLength: (value) => `at least ${value} characters`,
  maxLength: (value) => `at most ${value} characters`,
  minimum: (value) => `≥ ${value}`,
  maximum: (value) => `≤ ${value}`,
  exclusiveMinimum: (value) => `> ${value}`,
  exclusiveMaximum: (value) => `< ${value}`,
  multipleOf: (value) => `a multiple of ${value}`,
  minItems: (value) => `at least ${value} items`,
  maxItems: (value) => `at most ${value} items`,
  uniqueItems: () => 'no item twice',
};

function limited(type: Value, node: Node): Value {
  const said = Object.entries(node).flatMap(([key, value]: [string, unknown]) => {
    const say = Object.hasOwn(LIMITS, key) ? LIMITS[key] : undefined;
    return say && value !== false ? [say(String(value))] : [];
  });
  return said.length === 0 ? type : [type, html` <span class="limits">(${said.join(', ')})</span>`];
}
