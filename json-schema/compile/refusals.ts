import { discriminatorOf } from '../discriminator.js';
import { formatCheck } from '../formats.js';
import { isObject } from '../json.js';
import { resolve } from '../lookup.js';
import type { Definitions } from '../lookup.js';
import type {
  ArrayNode,
  JsonValue,
  Node,
  NumberNode,
  ObjectNode,
  StringNode,
  UnevaluatedNode,
} from '../model.js';
import { matcherOf } from '../pattern/matcher.js';
import { jsonPointer } from '../pointer.js';
import { multiple } from '../portable/values.js';
import { quote } from '../text.js';
import { characters } from './checks.js';
import type { Checks } from './checks.js';
import { createEvaluators } from './evaluated.js';
import type { Steps } from './steps.js';
import { typeOf, typesOf } from './types.js';

/** Why a part of a value is refused. */
export interface Refusal {
  /** The place in the value, as a JSON pointer (RFC 6901). */
  readonly pointer: string;
  /** A clause, to follow the name of the value: `must be at least 3`. */
  readonly reason: string;
  /** Present when the value has another type than those that are allowed. */
  readonly isType?: true;
}

/** The refusals that a search has found, and the place where it looks. It ends when enough was found. */
class Found {
  readonly refusals: Refusal[] = [];
  readonly path: (string | number)[] = [];
  isFull = false;
  readonly #most: number;

  constructor(most: number) {
    this.#most = most;
  }

  add(reason: string, isType = false): void {
    if (this.isFull) return;
    const pointer = jsonPointer(this.path);
    this.refusals.push(isType ? { pointer, reason, isType } : { pointer, reason });
    this.isFull = this.refusals.length >= this.#most;
  }
}

/** Finds out why values are refused. It looks only into the parts that the checks refuse. */
export function createRefusals(
  definitions: Definitions,
  checks: Checks,
  steps: Steps,
  formats: boolean,
): (node: Node, value: unknown, most: number) => Refusal[] {
  const evaluatorOf = createEvaluators(definitions, (node) => checks.of(node), steps);
  const listedOf = new Map<ObjectNode, ReadonlyMap<string, Node>>();

  return (root, value, most) => {
    const found = new Found(most);
    look(root, value, found);
    return found.refusals;
  };

  /** Of a part that may match. */
  function look(node: Node, value: unknown, found: Found): boolean {
    if (checks.of(node)(value)) return false;
    explain(node, value, found);
    return true;
  }

  /** Of a part of the value that may match. */
  function lookAt(key: string | number, node: Node, part: unknown, found: Found): void {
    if (!checks.of(node)(part)) explainAt(key, node, part, found);
  }

  function explainAt(key: string | number, node: Node, part: unknown, found: Found): void {
    found.path.push(key);
    explain(node, part, found);
    found.path.pop();
  }

  /** Of a part that does not match. */
  function explain(node: Node, value: unknown, found: Found): void {
    steps.count();
    switch (node.kind) {
      case 'any':
        return;
      case 'never':
        return found.add('is not allowed');
      case 'null':
        return found.add('must be null', true);
      case 'boolean':
        return found.add('must be true or false', true);
      case 'string':
        return explainString(node, value, found);
      case 'number':
        return explainNumber(node, value, found);
      case 'literal':
        return found.add(oneOf(node.values), !isOfType(node, value));
      case 'constant':
        return found.add(oneOf([node.value]));
      case 'array':
        return explainArray(node, value, found);
      case 'object':
        return explainObject(node, value, found);
      case 'union':
        return explainUnion(node.members, value, found);
      case 'intersection':
        for (const member of node.members) {
          if (found.isFull) return;
          look(member, value, found);
        }
        return;
      case 'exclusive': {
        const count = node.members.filter((member) => checks.of(member)(value)).length;
        if (count === 0) return explainUnion(node.members, value, found);
        return found.add(`must match one alternative only, not ${String(count)}`);
      }
      case 'not':
        return found.add('must not match the schema of "not"');
      case 'conditional':
        return explain(checks.of(node.if)(value) ? node.then : node.else, value, found);
      case 'unevaluated':
        return explainUnevaluated(node, value, found);
      case 'ref':
        return explain(resolve(node, definitions), value, found);
    }
  }

  function explainString(node: StringNode, value: unknown, found: Found): void {
    if (typeof value !== 'string') return found.add('must be a string', true);
    const { minLength = 0, maxLength = Infinity, pattern, format } = node;
    const length = characters(value);
    if (length < minLength) found.add(`must have at least ${count(minLength, 'character')}`);
    if (length > maxLength) found.add(`must have at most ${count(maxLength, 'character')}`);
    if (found.isFull) return;
    if (pattern !== undefined && !matcherOf(pattern).test(value)) {
      found.add(`must match the pattern ${quote(pattern)}`);
    }
    if (formats && format !== undefined && !formatCheck(format)(value)) {
      found.add(`must have the format ${quote(format)}`);
    }
  }

  function explainArray(node: ArrayNode, value: unknown, found: Found): void {
    if (!Array.isArray(value)) return found.add('must be an array', true);
    steps.count(value.length);
    const { items, prefix = [], minItems = 0, maxItems = Infinity, contains } = node;
    if (value.length < minItems) found.add(`must have at least ${count(minItems, 'item')}`);
    if (value.length > maxItems) found.add(`must have at most ${count(maxItems, 'item')}`);
    for (let index = 0; index < value.length && !found.isFull; index += 1) {
      lookAt(index, prefix[index] ?? items, value[index], found);
    }
    if (found.isFull) return;
    const [first, second] = (node.uniqueItems && checks.distinct.duplicates(value)) || [];
    if (first !== undefined) {
      found.add(`must not have two equal items, as ${String(first)} and ${String(second)} are`);
    }
    if (!contains || found.isFull) return;
    const { min, max = Infinity } = contains;
    const matching = value.filter((item) => checks.of(contains.node)(item)).length;
    if (matching < min) found.add(`must contain at least ${count(min, 'matching item')}`);
    if (matching > max) found.add(`must contain at most ${count(max, 'matching item')}`);
  }

  function explainObject(node: ObjectNode, value: unknown, found: Found): void {
    if (!isObject(value)) return found.add('must be an object', true);
    const { properties, minProperties = 0, maxProperties = Infinity } = node;
    steps.count(properties.length);
    for (const { name, required } of properties) {
      if (required && !(Object.hasOwn(value, name) && value[name] !== undefined)) {
        found.add(`must have the property ${quote(name)}`);
        if (found.isFull) return;
      }
    }
    const keys = Object.keys(value).filter((key) => value[key] !== undefined);
    if (keys.length < minProperties) {
      found.add(`must have at least ${count(minProperties, 'property')}`);
    }
    if (keys.length > maxProperties) {
      found.add(`must have at most ${count(maxProperties, 'property')}`);
    }
    const listed = listedIn(node);
    for (const key of keys) {
      if (found.isFull) return;
      explainKey(node, listed.get(key), key, value[key], found);
    }
  }

  function listedIn(node: ObjectNode): ReadonlyMap<string, Node> {
    let listed = listedOf.get(node);
    if (!listed) {
      const shown = node.properties.filter(({ unlisted }) => !unlisted);
      listed = new Map(shown.map((each) => [each.name, each.node]));
      listedOf.set(node, listed);
    }
    return listed;
  }

  function explainKey(
    { names, patterns, additional }: ObjectNode,
    listed: Node | undefined,
    key: string,
    part: unknown,
    found: Found,
  ): void {
    if (names && !checks.of(names)(key)) {
      return found.add(`must not have a property named ${quote(key)}`);
    }
    if (listed) lookAt(key, listed, part, found);
    const matching = patterns?.filter(({ pattern }) => matcherOf(pattern).test(key)) ?? [];
    for (const { node } of matching) {
      if (found.isFull) return;
      lookAt(key, node, part, found);
    }
    if (listed || matching.length > 0) return;
    if (additional.kind === 'closed') found.add(`must not have the property ${quote(key)}`);
    if (additional.kind === 'typed') lookAt(key, additional.node, part, found);
  }

  /** Of the alternative that is meant: the one of that tag, the only one for that type, or the only one with a fault inside. */
  function explainUnion(members: readonly Node[], value: unknown, found: Found): void {
    steps.count(members.length);
    const fitting = members.filter((member) => isOfType(member, value));
    const [only, another] = fitting;
    if (only === undefined) return found.add(anyOfTypes(members), true);
    if (another === undefined) return explain(only, value, found);
    const literals = fitting.map((member) => resolve(member, definitions));
    if (literals.every((each) => each.kind === 'literal')) {
      return found.add(oneOf(literals.flatMap(({ values }) => values)));
    }
    if (isObject(value) && explainTag(fitting, value, found)) return;
    const inside = fitting.filter((member) => isInside(member, value));
    const [meant] = inside;
    if (meant && inside.length === 1) return explain(meant, value, found);
    found.add('must match one of its alternatives');
  }

  /** Whether one property tells the alternatives apart. */
  function explainTag(
    members: readonly Node[],
    value: { readonly [key: string]: unknown },
    found: Found,
  ): boolean {
    const { property, cases = [] } = discriminatorOf(members, definitions) ?? {};
    if (property === undefined) return false;
    if (!Object.hasOwn(value, property)) {
      found.add(`must have the property ${quote(property)}`);
      return true;
    }
    const meant = cases.find((each) => each.value === value[property]);
    const node = meant && members[meant.member];
    if (node) explain(node, value, found);
    else {
      found.path.push(property);
      found.add(oneOf(cases.map((each) => each.value)));
      found.path.pop();
    }
    return true;
  }

  /** Whether the first fault is deeper than the value itself. */
  function isInside(node: Node, value: unknown): boolean {
    const found = new Found(1);
    explain(node, value, found);
    return (found.refusals[0]?.pointer ?? '') !== '';
  }

  function isOfType(node: Node, value: unknown): boolean {
    const type = typeOf(value);
    return type !== undefined && typesOf(node, definitions).has(type);
  }

  function anyOfTypes(members: readonly Node[]): string {
    const all = new Set(members.flatMap((member) => [...typesOf(member, definitions)]));
    const names = [...all].map((type) => TYPES[type]);
    const last = names.pop();
    if (last === undefined) return 'is not allowed';
    return `must be ${names.length > 0 ? `${names.join(', ')} or ` : ''}${last}`;
  }

  function explainUnevaluated(node: UnevaluatedNode, value: unknown, found: Found): void {
    if (look(node.node, value, found)) return;
    if (typeof value !== 'object' || value === null) return;
    const rule = Array.isArray(value) ? node.items : node.properties;
    const keys = new Set<string>();
    if (!rule || evaluatorOf(node.node)(value, keys)) return;
    for (const [key, part] of Object.entries(value)) {
      if (found.isFull) return;
      if (keys.has(key) || checks.of(rule)(part)) continue;
      if (rule.kind === 'never' && !Array.isArray(value)) {
        found.add(`must not have the property ${quote(key)}`);
      } else explainAt(key, rule, part, found);
    }
  }

  function explainNumber(node: NumberNode, value: unknown, found: Found): void {
    if (typeof value !== 'number' || !Number.isFinite(value)) {
      return found.add(node.integer ? 'must be an integer' : 'must be a number', true);
    }
    const { minimum, maximum, exclusiveMinimum, exclusiveMaximum, multipleOf } = node;
    if (node.integer && !Number.isInteger(value)) found.add('must be an integer');
    if (minimum !== undefined && value < minimum) found.add(`must be at least ${String(minimum)}`);
    if (maximum !== undefined && value > maximum) found.add(`must be at most ${String(maximum)}`);
    if (exclusiveMinimum !== undefined && value <= exclusiveMinimum) {
      found.add(`must be more than ${String(exclusiveMinimum)}`);
    }
    if (exclusiveMaximum !== undefined && value >= exclusiveMaximum) {
      found.add(`must be less than ${String(exclusiveMaximum)}`);
    }
    if (multipleOf !== undefined && !multiple(value, multipleOf)) {
      found.add(`must be a multiple of ${String(multipleOf)}`);
    }
  }
}

const TYPES = {
  null: 'null',
  boolean: 'true or false',
  number: 'a number',
  string: 'a string',
  array: 'an array',
  object: 'an object',
} as const;

function count(number: number, what: string): string {
  if (number === 1) return `1 ${what}`;
  return `${String(number)} ${what.endsWith('y') ? `${what.slice(0, -1)}ies` : `${what}s`}`;
}

const SHOWN_VALUES = 5;

function oneOf(values: readonly JsonValue[]): string {
  const shown = values
    .slice(0, SHOWN_VALUES)
    .map((each) => quote(JSON.stringify(each)).slice(1, -1).replaceAll('\\"', '"'));
  const more = values.length > SHOWN_VALUES ? ', …' : '';
  if (values.length === 0) return 'is not allowed';
  return values.length === 1
    ? `must be ${shown[0] ?? ''}`
    : `must be one of ${shown.join(', ')}${more}`;
}
