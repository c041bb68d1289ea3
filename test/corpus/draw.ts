import type {
  ArrayNode,
  Definition,
  JsonValue,
  Node,
  NumberNode,
  ObjectNode,
  StringNode,
} from '../../json-schema/index.js';
import type { Random } from '../read/variants.js';
import { formatSamples, sampledFormats } from '../support/corpus/formats.js';
import { matching } from './matching.js';

/** Below this many levels a value has only what its schema requires. */
const FULL = 3;
/** Below this many levels, and after this many parts, a value ends, valid or not. */
const DEEPEST = 14;
const MOST_PARTS = 2_000;
/** After this many parts a value has only what its schema requires. */
const MANY_PARTS = 100;

/**
 * Draws values that a definition should accept. It follows the metamodel, so that most are valid; ajv says which.
 * `not` and other rules that cannot be drawn are left to chance.
 */
export function createDrawer(
  definitions: readonly Definition[],
  random: Random,
): (node: Node) => JsonValue {
  const nodes = new Map(definitions.map(({ name, node }) => [name, node]));
  const pick = <T>(list: readonly T[]): T | undefined => list[random(list.length)];

  let parts = 0;
  const isSmall = (depth: number): boolean => depth > FULL || parts > MANY_PARTS;

  function draw(node: Node, depth: number): JsonValue {
    parts += 1;
    if (depth > DEEPEST || parts > MOST_PARTS) return null;
    switch (node.kind) {
      case 'ref':
        return draw(nodes.get(node.name) ?? { kind: 'any' }, depth + 1);
      case 'any':
      case 'not':
        return pick<JsonValue>(['text', 1, true, {}, [], null]) ?? null;
      case 'never':
      case 'null':
        return null;
      case 'boolean':
        return random(2) === 0;
      case 'string':
        return text(node, random);
      case 'number':
        return number(node, random);
      case 'literal':
        return pick(node.values) ?? null;
      case 'constant':
        return node.value;
      case 'array':
        return list(node, depth);
      case 'object':
        return object(node, depth);
      case 'union':
      case 'exclusive':
        return draw(branch(node.members, depth), depth + 1);
      case 'intersection':
        return node.members.map((member) => draw(member, depth + 1)).reduce(together);
      case 'conditional': {
        const base = draw(node.if, depth + 1);
        return random(2) === 0
          ? together(base, draw(node.then, depth + 1))
          : draw(node.else, depth + 1);
      }
      case 'unevaluated':
        return draw(node.node, depth + 1);
    }
  }

  function branch(members: readonly Node[], depth: number): Node {
    const leaves = members.filter(({ kind }) => LEAVES.has(kind));
    const some = (depth > 2 * FULL || parts > MANY_PARTS) && leaves.length > 0 ? leaves : members;
    return pick(some) ?? { kind: 'never' };
  }

  function list(node: ArrayNode, depth: number): JsonValue[] {
    const { items, prefix = [], minItems = 0, maxItems = Infinity, contains } = node;
    const wanted = isSmall(depth) ? minItems : minItems + random(3);
    const least = Math.max(wanted, isSmall(depth) ? 0 : prefix.length, contains?.min ?? 0);
    const length = Math.min(least, maxItems, minItems + 20);
    return Array.from({ length }, (_, index) => {
      const rule = prefix[index] ?? items;
      const own = contains && index < contains.min ? contains.node : { kind: 'any' as const };
      return own.kind === 'any' ? draw(rule, depth + 1) : draw(own, depth + 1);
    });
  }

  function object(node: ObjectNode, depth: number): JsonValue {
    const { properties, additional, patterns = [], names, minProperties = 0 } = node;
    const entries: [string, JsonValue][] = [];
    for (const property of properties) {
      if (!property.required && (isSmall(depth) || random(3) === 0)) continue;
      if (property.node.kind === 'never') continue;
      const rule = property.unlisted && additional.kind === 'typed' ? additional.node : undefined;
      entries.push([property.name, draw(rule ?? property.node, depth + 1)]);
    }
    const more = Math.max(minProperties - entries.length, isSmall(depth) ? 0 : random(3));
    for (let count = 0; count < Math.min(more, 20); count += 1) {
      const rule = pick(patterns);
      const typed = additional.kind === 'typed' ? additional.node : undefined;
      if (!rule && additional.kind === 'closed') break;
      const name = names ? draw(names, depth + 1) : rule ? matching(rule.pattern, random) : KEY;
      if (typeof name !== 'string') continue;
      const value = rule?.node ?? typed ?? { kind: 'any' };
      entries.push([name === KEY ? `${KEY}${String(count)}` : name, draw(value, depth + 1)]);
    }
    return Object.fromEntries(entries);
  }

  return (node) => {
    parts = 0;
    return draw(node, 0);
  };
}

const KEY = 'key';
const LEAVES: ReadonlySet<Node['kind']> = new Set([
  ...(['null', 'boolean', 'string', 'number', 'literal', 'constant'] as const),
]);

/** What meets two rules, as far as objects and lists say it; else one of the two. */
function together(one: JsonValue, other: JsonValue): JsonValue {
  if (isRecord(one) && isRecord(other)) {
    const keys = [...new Set([...Object.keys(one), ...Object.keys(other)])];
    return Object.fromEntries(
      keys.map((key) => [key, Object.hasOwn(other, key) ? other[key] : one[key]] as const),
    ) as JsonValue;
  }
  if (isRecord(one) || Array.isArray(one)) return one;
  return other;
}

const isRecord = (value: JsonValue): value is { [key: string]: JsonValue } =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

function text(node: StringNode, random: Random): string {
  const { format, pattern, minLength = 0, maxLength = Infinity } = node;
  const samples = format === undefined ? [] : samplesOf(format);
  if (pattern !== undefined) return matching(pattern, random);
  if (samples.length > 0) return samples[random(Math.min(2, samples.length))] ?? '';
  const words = ['', 'a', 'name', 'Some text', 'é😀'];
  const word = words[random(words.length)] ?? '';
  return [...word.padEnd(Math.min(minLength, 1_000), 'x')]
    .slice(0, Math.min(maxLength, 1_000))
    .join('');
}

/** For formats that the schemas of MCP do not use. */
const SAMPLES: Readonly<Record<string, string>> = {
  date: '2026-02-28',
  time: '12:30:00Z',
  duration: 'P1DT2H',
  email: 'someone@example.com',
  'idn-email': 'someone@example.com',
  hostname: 'example.com',
  'idn-hostname': 'example.com',
  ipv4: '127.0.0.1',
  ipv6: '2001:db8::1',
  iri: 'https://example.com/',
  'iri-reference': '/a',
  'json-pointer': '/a/0',
  'relative-json-pointer': '1/a',
  regex: '^a+$',
  'uri-reference': '../a',
  uuid: '2b1c1f0e-6d7a-4f0c-9a53-0c0f6b0e8f11',
};

function samplesOf(format: string): readonly string[] {
  if (sampledFormats.includes(format)) return formatSamples(format);
  const sample = SAMPLES[format];
  return sample === undefined ? [] : [sample];
}

function number(node: NumberNode, random: Random): number {
  const { minimum, exclusiveMinimum, maximum, exclusiveMaximum, multipleOf, integer } = node;
  const step = multipleOf ?? (integer ? 1 : 0.5);
  const low = minimum ?? (exclusiveMinimum === undefined ? undefined : exclusiveMinimum + step);
  const high = maximum ?? (exclusiveMaximum === undefined ? undefined : exclusiveMaximum - step);
  if (low !== undefined) return low + (random(2) === 0 ? 0 : stepsWithin(low, high, step, random));
  return high ?? step * (random(7) - 3);
}

function stepsWithin(low: number, high = low + 100, step: number, random: Random): number {
  const most = Math.floor((high - low) / step);
  return most > 0 ? step * random(Math.min(most, 100) + 1) : 0;
}
