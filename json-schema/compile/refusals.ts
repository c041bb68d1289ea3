import { discriminatorOf } from '../discriminator.js';
import { formatCheck } from '../formats.js';
import { isObject } from '../json.js';
import { resolve } from '../lookup.js';
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
import { characters, has } from './checks.js';
import type { Checks } from './checks.js';
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

/** Why a value is refused. The first reason is that of the node which refused last. */
export function refusalsOf(checks: Checks, node: Node, value: unknown, most: number): Refusal[] {
  const { run } = checks;
  checks.begin(most === 1);
  if (checks.of(node)(value)) return [];
  const found = new Found(checks, most, most === 1 ? run.path.toReversed() : []);
  const part = run.value;
  // The value is not kept.
  run.value = undefined;
  if (most === 1) found.explain(run.node ?? node, part);
  else found.explain(node, value);
  return found.refusals;
}

const listedOf = new WeakMap<ObjectNode, ReadonlyMap<string, Node>>();

/** The reasons that were found, and the place where more are sought: only in parts that the checks refuse, until enough were found. */
class Found {
  readonly refusals: Refusal[] = [];
  readonly #checks: Checks;
  readonly #most: number;
  readonly #path: (string | number)[];
  #isFull = false;

  constructor(checks: Checks, most: number, path: (string | number)[] = []) {
    this.#checks = checks;
    this.#most = most;
    this.#path = path;
  }

  #add(reason: string, isType = false): void {
    if (this.#isFull) return;
    const pointer = jsonPointer(this.#path);
    this.refusals.push(isType ? { pointer, reason, isType } : { pointer, reason });
    this.#isFull = this.refusals.length >= this.#most;
  }

  /** Of a part that may match. */
  #look(node: Node, value: unknown): boolean {
    if (this.#checks.of(node)(value)) return false;
    this.explain(node, value);
    return true;
  }

  /** Of a part of the value that may match. */
  #lookAt(key: string | number, node: Node, part: unknown): void {
    if (!this.#checks.of(node)(part)) this.#explainAt(key, node, part);
  }

  #explainAt(key: string | number, node: Node, part: unknown): void {
    this.#path.push(key);
    this.explain(node, part);
    this.#path.pop();
  }

  /** Of a part that does not match. */
  explain(node: Node, value: unknown): void {
    this.#checks.run.count();
    switch (node.kind) {
      case 'any':
        return;
      case 'never':
        return this.#add('is not allowed');
      case 'null':
        return this.#add('must be null', true);
      case 'boolean':
        return this.#add('must be true or false', true);
      case 'string':
        return this.#explainString(node, value);
      case 'number':
        return this.#explainNumber(node, value);
      case 'literal': {
        const type = typeOf(value);
        return this.#add(oneOf(node.values), !node.values.some((each) => typeOf(each) === type));
      }
      case 'constant':
        return this.#add(oneOf([node.value]));
      case 'array':
        return this.#explainArray(node, value);
      case 'object':
        return this.#explainObject(node, value);
      case 'union':
        return this.#explainUnion(node.members, value);
      case 'intersection':
        for (const member of node.members) {
          if (this.#isFull) return;
          this.#look(member, value);
        }
        return;
      case 'exclusive': {
        const count = node.members.filter((member) => this.#checks.of(member)(value)).length;
        if (count === 0) return this.#explainUnion(node.members, value);
        return this.#add(`must match one alternative only, not ${String(count)}`);
      }
      case 'not':
        return this.#add('must not match the schema of "not"');
      case 'conditional':
        return this.explain(this.#checks.of(node.if)(value) ? node.then : node.else, value);
      case 'unevaluated':
        return this.#explainUnevaluated(node, value);
      case 'ref':
        return this.explain(resolve(node, this.#checks.definitions), value);
    }
  }

  #explainString(node: StringNode, value: unknown): void {
    if (typeof value !== 'string') return this.#add('must be a string', true);
    const { minLength = 0, maxLength = Infinity, pattern, format } = node;
    const length = characters(value);
    if (length < minLength) this.#add(`must have at least ${count(minLength, 'character')}`);
    if (length > maxLength) this.#add(`must have at most ${count(maxLength, 'character')}`);
    if (this.#isFull) return;
    if (pattern !== undefined && !matcherOf(pattern).test(value)) {
      this.#add(`must match the pattern ${quote(pattern)}`);
    }
    if (this.#checks.formats && format !== undefined && !formatCheck(format)(value)) {
      this.#add(`must have the format ${quote(format)}`);
    }
  }

  #explainArray(node: ArrayNode, value: unknown): void {
    if (!Array.isArray(value)) return this.#add('must be an array', true);
    this.#checks.run.count(value.length);
    const { items, prefix = [], minItems = 0, maxItems = Infinity, contains } = node;
    if (value.length < minItems) this.#add(`must have at least ${count(minItems, 'item')}`);
    if (value.length > maxItems) this.#add(`must have at most ${count(maxItems, 'item')}`);
    for (let index = 0; index < value.length && !this.#isFull; index += 1) {
      this.#lookAt(index, prefix[index] ?? items, value[index]);
    }
    if (this.#isFull) return;
    const [first, second] = (node.uniqueItems && this.#checks.distinct.duplicates(value)) || [];
    if (first !== undefined) {
      this.#add(`must not have two equal items, as ${String(first)} and ${String(second)} are`);
    }
    if (!contains || this.#isFull) return;
    const { min, max = Infinity } = contains;
    const matching = value.filter((item) => this.#checks.of(contains.node)(item)).length;
    if (matching < min) this.#add(`must contain at least ${count(min, 'matching item')}`);
    if (matching > max) this.#add(`must contain at most ${count(max, 'matching item')}`);
  }

  #explainObject(node: ObjectNode, value: unknown): void {
    if (!isObject(value)) return this.#add('must be an object', true);
    const { properties, minProperties = 0, maxProperties = Infinity } = node;
    this.#checks.run.count(properties.length);
    for (const { name, required } of properties) {
      if (required && !has(value, name)) {
        this.#add(`must have the property ${quote(name)}`);
        if (this.#isFull) return;
      }
    }
    const keys = Object.keys(value).filter((key) => value[key] !== undefined);
    if (keys.length < minProperties) {
      this.#add(`must have at least ${count(minProperties, 'property')}`);
    }
    if (keys.length > maxProperties) {
      this.#add(`must have at most ${count(maxProperties, 'property')}`);
    }
    const listed = this.#listedIn(node);
    for (const key of keys) {
      if (this.#isFull) return;
      this.#explainKey(node, listed.get(key), key, value[key]);
    }
  }

  #listedIn(node: ObjectNode): ReadonlyMap<string, Node> {
    let listed = listedOf.get(node);
    if (!listed) {
      const shown = node.properties.filter(({ unlisted }) => !unlisted);
      listed = new Map(shown.map((each) => [each.name, each.node]));
      listedOf.set(node, listed);
    }
    return listed;
  }

  #explainKey(
    { names, patterns, additional }: ObjectNode,
    listed: Node | undefined,
    key: string,
    part: unknown,
  ): void {
    if (names && !this.#checks.of(names)(key)) {
      return this.#add(`must not have a property named ${quote(key)}`);
    }
    if (listed) this.#lookAt(key, listed, part);
    const matching = patterns?.filter(({ pattern }) => matcherOf(pattern).test(key)) ?? [];
    for (const { node } of matching) {
      if (this.#isFull) return;
      this.#lookAt(key, node, part);
    }
    if (listed || matching.length > 0) return;
    if (additional.kind === 'closed') this.#add(`must not have the property ${quote(key)}`);
    if (additional.kind === 'typed') this.#lookAt(key, additional.node, part);
  }

  /** Of the alternative that is meant: the one of that tag, the only one for that type, or the only one with a fault inside. */
  #explainUnion(members: readonly Node[], value: unknown): void {
    this.#checks.run.count(members.length);
    const fitting = members.filter((member) => this.#isOfType(member, value));
    const [only, another] = fitting;
    if (only === undefined) return this.#add(this.#anyOfTypes(members), true);
    if (another === undefined) return this.explain(only, value);
    const literals = fitting.map((member) => resolve(member, this.#checks.definitions));
    if (literals.every((each) => each.kind === 'literal')) {
      return this.#add(oneOf(literals.flatMap(({ values }) => values)));
    }
    if (isObject(value) && this.#explainTag(fitting, value)) return;
    const inside = fitting.filter((member) => this.#isInside(member, value));
    const [meant] = inside;
    if (meant && inside.length === 1) return this.explain(meant, value);
    this.#add('must match one of its alternatives');
  }

  /** Whether one property tells the alternatives apart. */
  #explainTag(members: readonly Node[], value: { readonly [key: string]: unknown }): boolean {
    const { property, cases = [] } = discriminatorOf(members, this.#checks.definitions) ?? {};
    if (property === undefined) return false;
    if (!Object.hasOwn(value, property)) {
      this.#add(`must have the property ${quote(property)}`);
      return true;
    }
    const meant = cases.find((each) => each.value === value[property]);
    const node = meant && members[meant.member];
    if (node) this.explain(node, value);
    else {
      this.#path.push(property);
      this.#add(oneOf(cases.map((each) => each.value)));
      this.#path.pop();
    }
    return true;
  }

  /** Whether the first fault is deeper than the value itself. */
  #isInside(node: Node, value: unknown): boolean {
    const found = new Found(this.#checks, 1);
    found.explain(node, value);
    return (found.refusals[0]?.pointer ?? '') !== '';
  }

  #isOfType(node: Node, value: unknown): boolean {
    const type = typeOf(value);
    return type !== undefined && typesOf(node, this.#checks.definitions).has(type);
  }

  #anyOfTypes(members: readonly Node[]): string {
    const all = new Set(
      members.flatMap((member) => [...typesOf(member, this.#checks.definitions)]),
    );
    const names = [...all].map((type) => TYPES[type]);
    const last = names.pop();
    if (last === undefined) return 'is not allowed';
    return `must be ${names.length > 0 ? `${names.join(', ')} or ` : ''}${last}`;
  }

  #explainUnevaluated(node: UnevaluatedNode, value: unknown): void {
    if (this.#look(node.node, value)) return;
    if (typeof value !== 'object' || value === null) return;
    const rule = Array.isArray(value) ? node.items : node.properties;
    const keys = new Set<string>();
    if (!rule || this.#checks.evaluatorOf(node.node)(value, keys)) return;
    for (const [key, part] of Object.entries(value)) {
      if (this.#isFull) return;
      if (keys.has(key) || this.#checks.of(rule)(part)) continue;
      if (rule.kind === 'never' && !Array.isArray(value)) {
        this.#add(`must not have the property ${quote(key)}`);
      } else this.#explainAt(key, rule, part);
    }
  }

  #explainNumber(node: NumberNode, value: unknown): void {
    if (typeof value !== 'number' || !Number.isFinite(value)) {
      return this.#add(node.integer ? 'must be an integer' : 'must be a number', true);
    }
    const { minimum, maximum, exclusiveMinimum, exclusiveMaximum, multipleOf } = node;
    if (node.integer && !Number.isInteger(value)) this.#add('must be an integer');
    if (minimum !== undefined && value < minimum) this.#add(`must be at least ${String(minimum)}`);
    if (maximum !== undefined && value > maximum) this.#add(`must be at most ${String(maximum)}`);
    if (exclusiveMinimum !== undefined && value <= exclusiveMinimum) {
      this.#add(`must be more than ${String(exclusiveMinimum)}`);
    }
    if (exclusiveMaximum !== undefined && value >= exclusiveMaximum) {
      this.#add(`must be less than ${String(exclusiveMaximum)}`);
    }
    if (multipleOf !== undefined && !multiple(value, multipleOf)) {
      this.#add(`must be a multiple of ${String(multipleOf)}`);
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

const sentences = new WeakMap<readonly JsonValue[], string>();

/** Kept for each list, because to quote its values takes longer than to find the one that differs. */
function oneOf(values: readonly JsonValue[]): string {
  const known = sentences.get(values);
  if (known !== undefined) return known;
  const shown = values
    .slice(0, SHOWN_VALUES)
    .map((each) => quote(JSON.stringify(each)).slice(1, -1).replaceAll('\\"', '"'));
  const listed = shown.join(', ') + (values.length > SHOWN_VALUES ? ', …' : '');
  const sentence =
    values.length > 1
      ? `must be one of ${listed}`
      : listed
        ? `must be ${listed}`
        : 'is not allowed';
  sentences.set(values, sentence);
  return sentence;
}
