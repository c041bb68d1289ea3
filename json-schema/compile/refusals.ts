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
import { createTypes, typeOf } from './types.js';

/** Why a part of a value is refused. */
export interface Refusal {
  /** The place in the value, as a JSON pointer (RFC 6901). */
  readonly pointer: string;
  /** A clause, to follow the name of the value: `must be at least 3`. */
  readonly reason: string;
  /** Present when the value has another type than those that are allowed. */
  readonly isType?: true;
}

type Path = readonly (string | number)[];

/** Ends a search: enough was found. */
const ENOUGH = Symbol('enough');

/** Finds out why values are refused. It looks only into the parts that the checks refuse. */
export function createRefusals(
  definitions: Definitions,
  checks: Checks,
  steps: Steps,
  formats: boolean,
): (node: Node, value: unknown, most: number) => Refusal[] {
  const typesOf = createTypes(definitions);
  const evaluatorOf = createEvaluators(definitions, (node) => checks.of(node), steps);

  return (root, value, most) => {
    if (checks.of(root)(value)) return [];
    const found: Refusal[] = [];
    const add = (path: Path, reason: string, isType = false): void => {
      found.push({ pointer: jsonPointer(path), reason, ...(isType && { isType }) });
      // eslint-disable-next-line @typescript-eslint/only-throw-error -- it is caught a few lines below
      if (found.length >= most) throw ENOUGH;
    };
    try {
      explain(root, value, [], add);
    } catch (error) {
      if (error !== ENOUGH) throw error;
    }
    return found;
  };

  type Add = (path: Path, reason: string, isType?: boolean) => void;

  /** Of a part that may match. */
  function look(node: Node, value: unknown, path: Path, add: Add): boolean {
    if (checks.of(node)(value)) return false;
    explain(node, value, path, add);
    return true;
  }

  /** Of a part that does not match. */
  function explain(node: Node, value: unknown, path: Path, add: Add): void {
    steps.count();
    switch (node.kind) {
      case 'any':
        return;
      case 'never':
        return add(path, 'is not allowed');
      case 'null':
        return add(path, 'must be null', true);
      case 'boolean':
        return add(path, 'must be true or false', true);
      case 'string':
        return explainString(node, value, path, add);
      case 'number':
        return explainNumber(node, value, path, add);
      case 'literal':
        return add(path, oneOf(node.values), !isOfType(node, value));
      case 'constant':
        return add(path, oneOf([node.value]));
      case 'array':
        return explainArray(node, value, path, add);
      case 'object':
        return explainObject(node, value, path, add);
      case 'union':
        return explainUnion(node.members, value, path, add);
      case 'intersection':
        for (const member of node.members) look(member, value, path, add);
        return;
      case 'exclusive': {
        const count = node.members.filter((member) => checks.of(member)(value)).length;
        if (count === 0) return explainUnion(node.members, value, path, add);
        return add(path, `must match one alternative only, not ${String(count)}`);
      }
      case 'not':
        return add(path, 'must not match the schema of "not"');
      case 'conditional':
        return explain(checks.of(node.if)(value) ? node.then : node.else, value, path, add);
      case 'unevaluated':
        return explainUnevaluated(node, value, path, add);
      case 'ref':
        return explain(resolve(node, definitions), value, path, add);
    }
  }

  function explainString(node: StringNode, value: unknown, path: Path, add: Add): void {
    if (typeof value !== 'string') return add(path, 'must be a string', true);
    const { minLength = 0, maxLength = Infinity, pattern, format } = node;
    const length = characters(value);
    if (length < minLength) add(path, `must have at least ${count(minLength, 'character')}`);
    if (length > maxLength) add(path, `must have at most ${count(maxLength, 'character')}`);
    if (pattern !== undefined && !matcherOf(pattern).test(value)) {
      add(path, `must match the pattern ${quote(pattern)}`);
    }
    if (formats && format !== undefined && !formatCheck(format)(value)) {
      add(path, `must have the format ${quote(format)}`);
    }
  }

  function explainArray(node: ArrayNode, value: unknown, path: Path, add: Add): void {
    if (!Array.isArray(value)) return add(path, 'must be an array', true);
    steps.count(value.length);
    const { items, prefix = [], minItems = 0, maxItems = Infinity, contains } = node;
    if (value.length < minItems) add(path, `must have at least ${count(minItems, 'item')}`);
    if (value.length > maxItems) add(path, `must have at most ${count(maxItems, 'item')}`);
    for (const [index, item] of value.entries()) {
      look(prefix[index] ?? items, item, [...path, index], add);
    }
    const [first, second] = (node.uniqueItems && checks.distinct.duplicates(value)) || [];
    if (first !== undefined) {
      add(path, `must not have two equal items, as ${String(first)} and ${String(second)} are`);
    }
    if (!contains) return;
    const { min, max = Infinity } = contains;
    const matching = value.filter((item) => checks.of(contains.node)(item)).length;
    if (matching < min) add(path, `must contain at least ${count(min, 'matching item')}`);
    if (matching > max) add(path, `must contain at most ${count(max, 'matching item')}`);
  }

  function explainObject(node: ObjectNode, value: unknown, path: Path, add: Add): void {
    if (!isObject(value)) return add(path, 'must be an object', true);
    const { properties, minProperties = 0, maxProperties = Infinity } = node;
    steps.count(properties.length);
    for (const { name, required } of properties) {
      if (required && !(Object.hasOwn(value, name) && value[name] !== undefined)) {
        add(path, `must have the property ${quote(name)}`);
      }
    }
    const keys = Object.keys(value).filter((key) => value[key] !== undefined);
    if (keys.length < minProperties) {
      add(path, `must have at least ${count(minProperties, 'property')}`);
    }
    if (keys.length > maxProperties) {
      add(path, `must have at most ${count(maxProperties, 'property')}`);
    }
    const listed = new Map(
      properties.filter(({ unlisted }) => !unlisted).map((each) => [each.name, each.node]),
    );
    for (const key of keys) explainKey(node, listed.get(key), key, value[key], path, add);
  }

  function explainKey(
    { names, patterns = [], additional }: ObjectNode,
    listed: Node | undefined,
    key: string,
    part: unknown,
    path: Path,
    add: Add,
  ): void {
    const at = [...path, key];
    if (names && !checks.of(names)(key)) {
      return add(path, `must not have a property named ${quote(key)}`);
    }
    const matching = patterns.filter(({ pattern }) => matcherOf(pattern).test(key));
    const rules = [...(listed ? [listed] : []), ...matching.map(({ node }) => node)];
    for (const rule of rules) look(rule, part, at, add);
    if (rules.length > 0) return;
    if (additional.kind === 'closed') add(path, `must not have the property ${quote(key)}`);
    if (additional.kind === 'typed') look(additional.node, part, at, add);
  }

  /** Of the alternative that is meant: the one of that tag, the only one for that type, or the only one with a fault inside. */
  function explainUnion(members: readonly Node[], value: unknown, path: Path, add: Add): void {
    steps.count(members.length);
    const fitting = members.filter((member) => isOfType(member, value));
    const [only, another] = fitting;
    if (only === undefined) return add(path, anyOfTypes(members), true);
    if (another === undefined) return explain(only, value, path, add);
    const literals = fitting.map((member) => resolve(member, definitions));
    if (literals.every((each) => each.kind === 'literal')) {
      return add(path, oneOf(literals.flatMap(({ values }) => values)));
    }
    if (isObject(value) && explainTag(fitting, value, path, add)) return;
    const inside = fitting.filter((member) => isInside(member, value));
    const [meant] = inside;
    if (meant && inside.length === 1) return explain(meant, value, path, add);
    add(path, 'must match one of its alternatives');
  }

  /** Whether one property tells the alternatives apart. */
  function explainTag(
    members: readonly Node[],
    value: { readonly [key: string]: unknown },
    path: Path,
    add: Add,
  ): boolean {
    const { property, cases = [] } = discriminatorOf(members, definitions) ?? {};
    if (property === undefined) return false;
    if (!Object.hasOwn(value, property)) {
      add(path, `must have the property ${quote(property)}`);
      return true;
    }
    const meant = cases.find((each) => each.value === value[property]);
    const node = meant && members[meant.member];
    if (node) explain(node, value, path, add);
    else add([...path, property], oneOf(cases.map((each) => each.value)));
    return true;
  }

  /** Whether the first fault is deeper than the value itself. */
  function isInside(node: Node, value: unknown): boolean {
    let isDeeper = false;
    try {
      explain(node, value, [], ({ length }) => {
        isDeeper = length > 0;
        // eslint-disable-next-line @typescript-eslint/only-throw-error -- it is caught a few lines below
        throw ENOUGH;
      });
    } catch (error) {
      if (error !== ENOUGH) throw error;
    }
    return isDeeper;
  }

  function isOfType(node: Node, value: unknown): boolean {
    const type = typeOf(value);
    return type !== undefined && typesOf(node).has(type);
  }

  function anyOfTypes(members: readonly Node[]): string {
    const all = new Set(members.flatMap((member) => [...typesOf(member)]));
    const names = [...all].map((type) => TYPES[type]);
    const last = names.pop();
    if (last === undefined) return 'is not allowed';
    return `must be ${names.length > 0 ? `${names.join(', ')} or ` : ''}${last}`;
  }

  function explainUnevaluated(node: UnevaluatedNode, value: unknown, path: Path, add: Add): void {
    if (look(node.node, value, path, add)) return;
    if (typeof value !== 'object' || value === null) return;
    const rule = Array.isArray(value) ? node.items : node.properties;
    const keys = new Set<string>();
    if (!rule || evaluatorOf(node.node)(value, keys)) return;
    for (const [key, part] of Object.entries(value)) {
      if (keys.has(key) || checks.of(rule)(part)) continue;
      if (rule.kind === 'never' && !Array.isArray(value)) {
        add(path, `must not have the property ${quote(key)}`);
      } else explain(rule, part, [...path, Array.isArray(value) ? Number(key) : key], add);
    }
  }

  function explainNumber(node: NumberNode, value: unknown, path: Path, add: Add): void {
    if (typeof value !== 'number' || !Number.isFinite(value)) {
      return add(path, node.integer ? 'must be an integer' : 'must be a number', true);
    }
    const { minimum, maximum, exclusiveMinimum, exclusiveMaximum, multipleOf } = node;
    const unless = (holds: boolean, what: string): void => {
      if (!holds) add(path, `must be ${what}`);
    };
    unless(!node.integer || Number.isInteger(value), 'an integer');
    unless(minimum === undefined || value >= minimum, `at least ${String(minimum)}`);
    unless(maximum === undefined || value <= maximum, `at most ${String(maximum)}`);
    unless(
      exclusiveMinimum === undefined || value > exclusiveMinimum,
      `more than ${String(exclusiveMinimum)}`,
    );
    unless(
      exclusiveMaximum === undefined || value < exclusiveMaximum,
      `less than ${String(exclusiveMaximum)}`,
    );
    unless(
      multipleOf === undefined || multiple(value, multipleOf),
      `a multiple of ${String(multipleOf)}`,
    );
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
