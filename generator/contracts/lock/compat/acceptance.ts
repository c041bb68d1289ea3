import { multiple, same, distinct } from '../../../../json-schema/portable/values.js';
import {
  type ArrayNode,
  type Definitions,
  isObject,
  jsonPointer,
  type JsonValue,
  type Node,
  type NumberNode,
  type ObjectNode,
  quote,
  resolve,
  type StringNode,
} from '../../../../json-schema/index.js';
import { evaluatedIn } from './evaluated.js';
import { hasFormat } from './formats.js';
import { patternOf } from './patterns.js';

/** Why a value is refused: the first reason that was found. */
export interface Refusal {
  /** The place in the value, as a JSON pointer. */
  readonly pointer: string;
  /** A clause, to follow the name of the value: `must be at least 3`. */
  readonly reason: string;
}

/** Decides whether a value matches a node. It runs no code of the schema, and ends after a number of steps. */
export interface Acceptance {
  /** @throws {TooManySteps} */
  refusal(node: Node, value: JsonValue): Refusal | undefined;
  /** @throws {TooManySteps} */
  accepts(node: Node, value: JsonValue): boolean;
}

/** Alternatives that contain themselves take steps that are exponential in the depth of a value. */
export class TooManySteps extends Error {
  override readonly name = 'TooManySteps';
}

const MOST_STEPS = 100_000;

type Path = readonly (string | number)[];
type Check = (node: Node, value: JsonValue, path: Path) => Refusal | undefined;

export function createAcceptance(definitions: Definitions): Acceptance {
  let steps = 0;

  const check: Check = (node, value, path) => {
    steps += 1;
    if (steps > MOST_STEPS) throw new TooManySteps('Too many steps');
    const accepts = (inner: Node): boolean => check(inner, value, path) === undefined;
    switch (node.kind) {
      case 'any':
        return undefined;
      case 'never':
        return refusal(path, 'is not allowed');
      case 'null':
        return unless(value === null, path, 'must be null');
      case 'boolean':
        return unless(typeof value === 'boolean', path, 'must be true or false');
      case 'string':
        return checkString(node, value, path);
      case 'number':
        return checkNumber(node, value, path);
      case 'literal':
        return unless(
          node.values.some((each) => each === value),
          path,
          oneOf(node.values),
        );
      case 'constant':
        return unless(same(node.value, value), path, oneOf([node.value]));
      case 'array':
        return checkArray(node, value, path, check);
      case 'object':
        return checkObject(node, value, path, check);
      case 'union':
        return checkUnion(node.members, value, path, check);
      case 'intersection':
        return first(node.members, (member) => check(member, value, path));
      case 'exclusive': {
        const count = node.members.filter(accepts).length;
        if (count === 0) return checkUnion(node.members, value, path, check);
        return unless(count === 1, path, `must match one alternative only, not ${String(count)}`);
      }
      case 'not':
        return unless(!accepts(node.node), path, 'must not match the schema of "not"');
      case 'conditional':
        return check(accepts(node.if) ? node.then : node.else, value, path);
      case 'unevaluated':
        return checkUnevaluated(node, value, path);
      case 'ref':
        return check(resolve(node, definitions), value, path);
    }
  };

  function checkUnevaluated(
    node: Extract<Node, { kind: 'unevaluated' }>,
    value: JsonValue,
    path: Path,
  ): Refusal | undefined {
    const refused = check(node.node, value, path);
    if (refused) return refused;
    const accepts = (inner: Node, part: JsonValue): boolean => !check(inner, part, path);
    const { properties, items } = node;
    const { all, keys } = evaluatedIn(node.node, value, { definitions, accepts });
    if (all) return undefined;
    const rest = (entries: readonly (readonly [string | number, JsonValue])[], rule: Node) =>
      first(
        entries.filter(([key]) => !keys.has(key)),
        ([key, part]) => check(rule, part, [...path, key]),
      );
    if (Array.isArray(value)) return items && rest([...value.entries()], items);
    return isObject(value) && properties ? rest(Object.entries(value), properties) : undefined;
  }

  const refusalOf = (node: Node, value: JsonValue): Refusal | undefined => {
    steps = 0;
    return check(node, value, []);
  };
  return { refusal: refusalOf, accepts: (node, value) => refusalOf(node, value) === undefined };
}

function refusal(path: Path, reason: string): Refusal {
  return { pointer: jsonPointer(path), reason };
}

function unless(holds: boolean, path: Path, reason: string): Refusal | undefined {
  return holds ? undefined : refusal(path, reason);
}

function first<T>(
  items: readonly T[],
  check: (item: T, index: number) => Refusal | undefined,
): Refusal | undefined {
  for (const [index, item] of items.entries()) {
    const found = check(item, index);
    if (found) return found;
  }
  return undefined;
}

const SHOWN_VALUES = 5;

function oneOf(values: readonly JsonValue[]): string {
  const shown = values
    .slice(0, SHOWN_VALUES)
    .map((each) => quote(JSON.stringify(each)).slice(1, -1).replaceAll('\\"', '"'));
  const more = values.length > SHOWN_VALUES ? ', …' : '';
  return values.length === 1
    ? `must be ${shown[0] ?? ''}`
    : `must be one of ${shown.join(', ')}${more}`;
}

function checkString(node: StringNode, value: JsonValue, path: Path): Refusal | undefined {
  if (typeof value !== 'string') return refusal(path, 'must be a string');
  const { minLength = 0, maxLength = Infinity, pattern, format } = node;
  const length = [...value].length;
  if (length < minLength)
    return refusal(path, `must have at least ${String(minLength)} characters`);
  if (length > maxLength) return refusal(path, `must have at most ${String(maxLength)} characters`);
  if (pattern !== undefined && !patternOf(pattern).test(value))
    return refusal(path, `must match the pattern ${quote(pattern)}`);
  if (format !== undefined && !hasFormat(format, value))
    return refusal(path, `must have the format ${quote(format)}`);
  return undefined;
}

function checkNumber(node: NumberNode, value: JsonValue, path: Path): Refusal | undefined {
  // JSON text may contain 1e999, which is infinite here.
  if (typeof value !== 'number' || !Number.isFinite(value))
    return refusal(path, node.integer ? 'must be an integer' : 'must be a number');
  const { minimum, maximum, exclusiveMinimum, exclusiveMaximum, multipleOf } = node;
  const rules: readonly (readonly [boolean, string])[] = [
    [!node.integer || Number.isInteger(value), 'an integer'],
    [minimum === undefined || value >= minimum, `at least ${String(minimum)}`],
    [maximum === undefined || value <= maximum, `at most ${String(maximum)}`],
    [
      exclusiveMinimum === undefined || value > exclusiveMinimum,
      `more than ${String(exclusiveMinimum)}`,
    ],
    [
      exclusiveMaximum === undefined || value < exclusiveMaximum,
      `less than ${String(exclusiveMaximum)}`,
    ],
    [
      multipleOf === undefined || multiple(value, multipleOf),
      `a multiple of ${String(multipleOf)}`,
    ],
  ];
  const broken = rules.find(([holds]) => !holds);
  return broken && refusal(path, `must be ${broken[1]}`);
}

function checkArray(
  node: ArrayNode,
  value: JsonValue,
  path: Path,
  check: Check,
): Refusal | undefined {
  if (!Array.isArray(value)) return refusal(path, 'must be an array');
  const { items, prefix = [], minItems = 0, maxItems = Infinity, contains } = node;
  if (value.length < minItems) return refusal(path, `must have at least ${String(minItems)} items`);
  if (value.length > maxItems) return refusal(path, `must have at most ${String(maxItems)} items`);
  if (node.uniqueItems === true && !distinct(value))
    return refusal(path, 'must not have two equal items');
  const refused = first(value, (item, index) =>
    check(prefix[index] ?? items, item, [...path, index]),
  );
  if (refused || !contains) return refused;
  const count = value.filter((item, index) => !check(contains.node, item, [...path, index])).length;
  if (count < contains.min)
    return refusal(path, `must contain at least ${String(contains.min)} matching items`);
  const { max = Infinity } = contains;
  return unless(count <= max, path, `must contain at most ${String(max)} matching items`);
}

function checkObject(
  node: ObjectNode,
  value: JsonValue,
  path: Path,
  check: Check,
): Refusal | undefined {
  if (!isObject(value)) return refusal(path, 'must be an object');
  const {
    properties,
    patterns = [],
    additional,
    names,
    minProperties = 0,
    maxProperties = Infinity,
  } = node;
  const missing = properties.find(({ name, required }) => required && !Object.hasOwn(value, name));
  if (missing) return refusal(path, `must have the property ${quote(missing.name)}`);
  const keys = Object.keys(value);
  if (keys.length < minProperties)
    return refusal(path, `must have at least ${String(minProperties)} properties`);
  if (keys.length > maxProperties)
    return refusal(path, `must have at most ${String(maxProperties)} properties`);
  const listed = new Map(
    properties.filter(({ unlisted }) => !unlisted).map((each) => [each.name, each.node]),
  );
  return first(keys, (key) => {
    const part = value[key] ?? null;
    const at = [...path, key];
    if (names && check(names, key, at))
      return refusal(path, `must not have a property named ${quote(key)}`);
    const own = listed.get(key);
    const matching = patterns.filter(({ pattern }) => patternOf(pattern).test(key));
    const rules = [...(own ? [own] : []), ...matching.map((each) => each.node)];
    if (rules.length > 0) return first(rules, (rule) => check(rule, part, at));
    if (additional.kind === 'closed')
      return refusal(path, `must not have the property ${quote(key)}`);
    return additional.kind === 'typed' ? check(additional.node, part, at) : undefined;
  });
}

/** The reason of the only alternative for values of this type, else that there is none. */
function checkUnion(
  members: readonly Node[],
  value: JsonValue,
  path: Path,
  check: Check,
): Refusal | undefined {
  const refused: Refusal[] = [];
  for (const member of members) {
    const found = check(member, value, path);
    if (!found) return undefined;
    refused.push(found);
  }
  // Deeper places are those of alternatives that fit the value's type.
  const own = jsonPointer(path);
  const inside = refused.filter(({ pointer }) => pointer !== own);
  const [only] = inside;
  return only && inside.length === 1 ? only : refusal(path, 'must match one of its alternatives');
}
