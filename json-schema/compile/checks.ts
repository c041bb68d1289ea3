import { discriminatorOf } from '../discriminator.js';
import { formatCheck, formatCost } from '../formats.js';
import { resolve } from '../lookup.js';
import type { Definitions } from '../lookup.js';
import type {
  ArrayNode,
  JsonPrimitive,
  Node,
  NumberNode,
  ObjectNode,
  StringNode,
  UnevaluatedNode,
} from '../model.js';
import { matcherOf } from '../pattern/matcher.js';
import { multiple, same } from '../portable/values.js';
import { createDistinct } from './distinct.js';
import type { Distinct } from './distinct.js';
import { createEvaluators } from './evaluated.js';
import { countedTest } from './steps.js';
import type { Check, Steps } from './steps.js';

export interface Checks {
  /** The check of a node, made when it is first asked for. */
  of(node: Node): Check;
  readonly distinct: Distinct;
}

// eslint-disable-next-line @typescript-eslint/unbound-method -- it is called with the object, and faster than Object.hasOwn
const own = Object.prototype.hasOwnProperty;
const yes: Check = () => true;
const no: Check = () => false;
const isNull: Check = (value) => value === null;
const isFlag: Check = (value) => typeof value === 'boolean';
const isText: Check = (value) => typeof value === 'string';

/** Checks as closures, made once for each node. They look at what is in a value, not at what may be there. */
export function createChecks(definitions: Definitions, steps: Steps, formats: boolean): Checks {
  const made = new Map<Node, Check>();
  const named = new Map<string, Check>();
  const distinct = createDistinct(steps);
  const evaluators = createEvaluators(definitions, of, steps);

  function of(node: Node): Check {
    const known = made.get(node);
    if (known) return known;
    const check = make(node);
    made.set(node, check);
    return check;
  }

  function make(node: Node): Check {
    switch (node.kind) {
      case 'any':
        return yes;
      case 'never':
        return no;
      case 'null':
        return isNull;
      case 'boolean':
        return isFlag;
      case 'string':
        return stringCheck(node, formats, steps);
      case 'number':
        return numberCheck(node);
      case 'literal':
        return literalCheck(node.values);
      case 'constant':
        return counted((value) => same(node.value, value), JSON.stringify(node.value).length >> 3);
      case 'array':
        return arrayCheck(node, of, distinct, steps);
      case 'object':
        return objectCheck(node, of, steps);
      case 'union':
        return unionCheck(node.members, of, definitions, counted);
      case 'intersection':
        return counted(every(node.members.map(of)), node.members.length);
      case 'exclusive':
        return counted(exclusiveCheck(node.members.map(of)), node.members.length);
      case 'not': {
        const inner = of(node.node);
        return counted((value) => !inner(value), 1);
      }
      case 'conditional': {
        const [condition, then, otherwise] = [of(node.if), of(node.then), of(node.else)];
        return counted((value) => (condition(value) ? then(value) : otherwise(value)), 1);
      }
      case 'unevaluated':
        return unevaluatedCheck(node);
      case 'ref':
        return reference(node.name);
    }
  }

  function counted(check: Check, by: number): Check {
    return (value) => {
      steps.count(by);
      return check(value);
    };
  }

  /** A definition is made at its first value, because it may refer to itself. */
  function reference(name: string): Check {
    const known = named.get(name);
    if (known) return known;
    let target: Check | undefined;
    const check: Check = (value) => {
      steps.count();
      target ??= of(resolve({ kind: 'ref', name }, definitions));
      return target(value);
    };
    named.set(name, check);
    return check;
  }

  function unevaluatedCheck({ node, properties, items }: UnevaluatedNode): Check {
    const inner = of(node);
    const evaluate = evaluators(node);
    const [ofKeys, ofItems] = [properties, items].map((rule) => rule && of(rule));
    return (value) => {
      if (!inner(value)) return false;
      const isList = Array.isArray(value);
      const rule = isList ? ofItems : ofKeys;
      if (rule === undefined || typeof value !== 'object' || value === null) return true;
      const keys = new Set<string>();
      if (evaluate(value, keys)) return true;
      for (const key in value) {
        steps.count();
        if (!own.call(value, key) || keys.has(key)) continue;
        if (!rule((value as Readonly<Record<string, unknown>>)[key])) return false;
      }
      return true;
    };
  }

  return { of, distinct };
}

function every(checks: readonly Check[]): Check {
  const [first = yes, second, third] = checks;
  if (second === undefined) return first;
  if (third === undefined) return (value) => first(value) && second(value);
  return (value) => {
    for (const check of checks) if (!check(value)) return false;
    return true;
  };
}

/** Where one property tells the members apart, only the one that it names can match. */
function unionCheck(
  members: readonly Node[],
  of: (node: Node) => Check,
  definitions: Definitions,
  counted: (check: Check, by: number) => Check,
): Check {
  const checks = members.map(of);
  const [first = no, second = no, third] = checks;
  if (third === undefined) return counted((value) => first(value) || second(value), 1);
  const { property, cases = [] } = discriminatorOf(members, definitions) ?? {};
  if (property === undefined) {
    return counted((value) => {
      for (const check of checks) if (check(value)) return true;
      return false;
    }, checks.length);
  }
  const byTag = new Map(cases.map(({ value, member }) => [value, checks[member] ?? no]));
  return (value) => {
    if (typeof value !== 'object' || value === null || !own.call(value, property)) return false;
    const tag = (value as Readonly<Record<string, unknown>>)[property];
    return byTag.get(tag as JsonPrimitive)?.(value) ?? false;
  };
}

function exclusiveCheck(checks: readonly Check[]): Check {
  return (value) => {
    let count = 0;
    for (const check of checks) if (check(value) && (count += 1) > 1) return false;
    return count === 1;
  };
}

function literalCheck(values: readonly JsonPrimitive[]): Check {
  if (values.length > 8) {
    const set = new Set<unknown>(values);
    return (value) => set.has(value);
  }
  const [only] = values;
  if (values.length === 1) return (value) => value === only;
  return (value) => values.includes(value as JsonPrimitive);
}

/** Code points, of which JavaScript counts some as two. */
export function characters(text: string): number {
  let count = text.length;
  for (let i = 1; i < text.length; i += 1) {
    const isPair = (text.charCodeAt(i) & 0xfc00) === 0xdc00;
    if (isPair && (text.charCodeAt(i - 1) & 0xfc00) === 0xd800) {
      count -= 1;
      i += 1;
    }
  }
  return count;
}

function stringCheck(
  { minLength = 0, maxLength = Infinity, pattern, format }: StringNode,
  formats: boolean,
  steps: Steps,
): Check {
  const rules: ((text: string) => boolean)[] = [];
  const add = (test: (text: string) => boolean, cost = 1): unknown =>
    rules.push(countedTest({ test, cost }, steps));
  if (minLength > 0 || maxLength < Infinity) add((text) => hasLength(text, minLength, maxLength));
  if (pattern !== undefined) rules.push(countedTest(matcherOf(pattern), steps));
  if (format !== undefined && formats) add(formatCheck(format), formatCost(format));
  const [first, ...others] = rules;
  if (first === undefined) return isText;
  if (others.length === 0) return (value) => typeof value === 'string' && first(value);
  return (value) => typeof value === 'string' && rules.every((rule) => rule(value));
}

/** Code units bound code points from both sides, so most texts need no count. */
function hasLength(text: string, min: number, max: number): boolean {
  const units = text.length;
  if (units < min || units > 2 * max) return false;
  if (units <= max && units >= 2 * min) return true;
  const length = characters(text);
  return length >= min && length <= max;
}

function numberCheck(node: NumberNode): Check {
  const {
    integer,
    minimum = -Infinity,
    maximum = Infinity,
    exclusiveMinimum = -Infinity,
    exclusiveMaximum = Infinity,
    multipleOf,
  } = node;
  // JSON text may contain 1e999, which is infinite here.
  const isNumber: Check = integer ? Number.isInteger : Number.isFinite;
  const isBounded =
    Math.max(minimum, exclusiveMinimum) > -Infinity ||
    Math.min(maximum, exclusiveMaximum) < Infinity;
  if (!isBounded && multipleOf === undefined) return isNumber;
  return (value) => {
    if (!isNumber(value)) return false;
    const number = value as number;
    if (number < minimum || number > maximum) return false;
    if (number <= exclusiveMinimum || number >= exclusiveMaximum) return false;
    return multipleOf === undefined || multiple(number, multipleOf);
  };
}

function arrayCheck(
  node: ArrayNode,
  of: (node: Node) => Check,
  distinct: Distinct,
  steps: Steps,
): Check {
  const { prefix = [], minItems = 0, maxItems = Infinity, uniqueItems, contains } = node;
  const rest = of(node.items);
  const first = prefix.map(of);
  const rules: ((list: readonly unknown[]) => boolean)[] = [];
  if (contains) {
    const { min, max = Infinity } = contains;
    const matches = of(contains.node);
    rules.push((list) => {
      let count = 0;
      steps.count(list.length);
      for (const item of list) if (matches(item)) count += 1;
      return count >= min && count <= max;
    });
  }
  if (uniqueItems === true) rules.push((list) => distinct.duplicates(list) === undefined);
  return (value) => {
    if (!Array.isArray(value) || value.length < minItems || value.length > maxItems) return false;
    const length = rest === yes ? Math.min(first.length, value.length) : value.length;
    steps.count(length);
    for (let i = 0; i < length; i += 1) {
      const check = i < first.length ? (first[i] ?? rest) : rest;
      if (!check(value[i])) return false;
    }
    for (const rule of rules) if (!rule(value)) return false;
    return true;
  };
}

/** What is asked of a key; its check is made at its first value. */
interface KeyRule {
  readonly name: string;
  /** Its index among the rules. */
  readonly index: number;
  readonly isRequired: boolean;
  /** Undefined when only `required` names the key. */
  readonly node: Node | undefined;
  check: Check | undefined;
}

function objectCheck(node: ObjectNode, of: (node: Node) => Check, steps: Steps): Check {
  const { properties, additional, names, minProperties = 0, maxProperties = Infinity } = node;
  const rules = properties.map((each, index): KeyRule => {
    const { name, required: isRequired } = each;
    return {
      name,
      index,
      isRequired,
      node: each.unlisted ? undefined : each.node,
      check: undefined,
    };
  });
  const required = rules.filter(({ isRequired }) => isRequired).length;
  let byName: ReadonlyMap<string, KeyRule> | undefined;
  const find = (name: string): KeyRule | undefined => {
    byName ??= new Map(rules.map((rule) => [rule.name, rule]));
    return byName.get(name);
  };
  const rest =
    additional.kind === 'typed' ? of(additional.node) : additional.kind === 'closed' ? no : yes;
  const patterns = (node.patterns ?? []).map((rule) => ({
    test: countedTest(matcherOf(rule.pattern), steps),
    check: of(rule.node),
  }));
  const ofName = names && of(names);
  const isPlain = patterns.length === 0 && ofName === undefined;

  const general = (key: string, check: Check | undefined, part: unknown): boolean => {
    if (ofName && !ofName(key)) return false;
    let isRuled = check !== undefined;
    if (check && !check(part)) return false;
    steps.count(patterns.length);
    for (const rule of patterns) {
      if (!rule.test(key)) continue;
      isRuled = true;
      if (!rule.check(part)) return false;
    }
    return isRuled || rest(part);
  };
  return (value) => {
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return false;
    const object = value as Readonly<Record<string, unknown>>;
    let count = 0;
    let missing = required;
    let fits = true;
    // Most values have their keys in the order of the schema, which is quicker to follow than to look up.
    let next = 0;
    for (const key in object) {
      // Names of a prototype are not the value's.
      if (!own.call(object, key)) continue;
      const part = object[key];
      // JSON leaves such members out.
      if (part === undefined) continue;
      count += 1;
      let rule = rules[next];
      if (rule?.name !== key) rule = find(key);
      let check: Check | undefined;
      if (rule !== undefined) {
        next = rule.index + 1;
        if (rule.isRequired) missing -= 1;
        if (rule.node) check = rule.check ??= of(rule.node);
      }
      fits = isPlain ? (check ?? rest)(part) : general(key, check, part);
      if (!fits) break;
    }
    steps.count(count);
    return fits && missing === 0 && count >= minProperties && count <= maxProperties;
  };
}
