import { discriminatorOf } from '../discriminator.js';
import { formatCheck, formatCost } from '../formats.js';
import { resolve } from '../lookup.js';
import type { Definitions } from '../lookup.js';
import type {
  ArrayNode,
  ExclusiveNode,
  JsonPrimitive,
  Node,
  NumberNode,
  ObjectNode,
  Property,
  StringNode,
  UnevaluatedNode,
  UnionNode,
} from '../model.js';
import { matcherOf } from '../pattern/matcher.js';
import { multiple, same } from '../portable/values.js';
import { Distinct } from './distinct.js';
import { createEvaluators } from './evaluated.js';
import type { Evaluator } from './evaluated.js';
import { countedTest, countText, Run } from './steps.js';
import type { Check } from './steps.js';

// eslint-disable-next-line @typescript-eslint/unbound-method -- it is called with the object, and faster than Object.hasOwn
const own = Object.prototype.hasOwnProperty;
const yes: Check = () => true;
/** Of the keys of a closed object, which refuses them itself. */
const no: Check = () => false;

type Members = Readonly<Record<string, unknown>>;

/** What is asked of a key; its check is made at its first value. */
interface KeyRule {
  readonly name: string;
  /** As a number, which is subtracted from those that are missing. */
  readonly required: 0 | 1;
  readonly node: Node;
  /** Whether more than `required` names the key: otherwise it has the check of the others. */
  readonly isListed: boolean;
  check: Check | undefined;
  /** Texts of these lengths match without a call: most members of most values are such. */
  readonly shortest: number;
  readonly longest: number;
}

function ruleOf({ name, required, node, unlisted = false }: Property, rest: Check): KeyRule {
  const isPlain = !unlisted && node.kind === 'string' && node.pattern === undefined && !node.format;
  const { minLength = 0, maxLength = 2 ** 30 } = isPlain ? node : {};
  return {
    name,
    required: required ? 1 : 0,
    node,
    isListed: !unlisted,
    check: unlisted ? rest : undefined,
    // A character takes two units at most.
    shortest: isPlain ? 2 * minLength : 1,
    longest: isPlain ? maxLength : 0,
  };
}

/** So many rules are compared with a key before it is looked up. */
const NEAR = 12;

/**
 * Checks as closures, made once for each node. They look at what is in a value, not at what may be there. Each closure is of one
 * kind of node and calls few others, because engines call a closure that they cannot foresee.
 */
export class Checks {
  readonly run: Run;
  readonly distinct: Distinct;
  readonly #made = new Map<Node, Check>();
  readonly #named = new Map<string, Check>();
  #evaluators: ((node: Node) => Evaluator) | undefined;

  constructor(
    readonly definitions: Definitions,
    readonly formats: boolean,
    steps: number,
  ) {
    this.run = new Run(steps);
    this.distinct = new Distinct(this.run);
  }

  /** Before each value. */
  begin(traces = false): void {
    this.run.begin(traces);
    this.distinct.reset();
  }

  /** The check of a node, made when it is first asked for. */
  of(node: Node): Check {
    const known = this.#made.get(node);
    if (known) return known;
    const check = this.#make(node);
    this.#made.set(node, check);
    return check;
  }

  /** What a node describes, for `unevaluatedProperties` and `unevaluatedItems`. */
  evaluatorOf(node: Node): Evaluator {
    this.#evaluators ??= createEvaluators(this.definitions, (inner) => this.of(inner), this.run);
    return this.#evaluators(node);
  }

  #make(node: Node): Check {
    const { run } = this;
    switch (node.kind) {
      case 'any':
        return yes;
      case 'never':
        return (value) => run.refuse(node, value);
      case 'null':
        return (value) => value === null || run.refuse(node, value);
      case 'boolean':
        return (value) => typeof value === 'boolean' || run.refuse(node, value);
      case 'string':
        return stringCheck(node, this.formats, run);
      case 'number':
        return numberCheck(node, run);
      case 'literal':
        return literalCheck(node, run);
      case 'constant': {
        const cost = JSON.stringify(node.value).length >> 3;
        return (value) => {
          run.count(cost);
          return same(node.value, value) || run.refuse(node, value);
        };
      }
      case 'array':
        return this.#array(node);
      case 'object':
        return this.#object(node);
      case 'union':
      case 'exclusive':
        return this.#union(node);
      case 'intersection': {
        const checks = node.members.map((member) => this.of(member));
        return (value) => {
          run.count(checks.length);
          for (const check of checks) if (!check(value)) return false;
          return true;
        };
      }
      case 'not': {
        const inner = this.of(node.node);
        return (value) => {
          run.count();
          return !inner(value) || run.refuse(node, value);
        };
      }
      case 'conditional': {
        const [condition, then, otherwise] = [node.if, node.then, node.else].map((part) =>
          this.of(part),
        ) as [Check, Check, Check];
        return (value) => {
          run.count();
          return condition(value) ? then(value) : otherwise(value);
        };
      }
      case 'unevaluated':
        return this.#unevaluated(node);
      case 'ref':
        return this.#reference(node.name);
    }
  }

  #reference(name: string): Check {
    const known = this.#named.get(name);
    if (known) return known;
    const node = resolve({ kind: 'ref', name }, this.definitions);
    const later = this.#later(node);
    this.#named.set(name, later);
    // An object makes the checks of its parts later.
    if (node.kind !== 'object') return later;
    const check = this.of(node);
    this.#named.set(name, check);
    return check;
  }

  /** A check that is made at its first value, because a node may refer to itself, and references may be many. */
  #later(node: Node): Check {
    let check: Check | undefined;
    return (value) => (check ??= this.of(node))(value);
  }

  /** Where one property tells the members apart, only the one that it names can match. */
  #union(node: UnionNode | ExclusiveNode): Check {
    const { run } = this;
    const checks = node.members.map((member) => this.of(member));
    const most = node.kind === 'union' ? Infinity : 1;
    let byTag: ReadonlyMap<JsonPrimitive, Check> | undefined;
    let property: string | undefined;
    // The property is sought at the second object, because most schemas that are read once meet one.
    let objects = 0;
    return (value) => {
      if (typeof value === 'object' && value !== null && objects < 2 && (objects += 1) === 2) {
        const found = discriminatorOf(node.members, this.definitions);
        property = found?.property;
        byTag = new Map(found?.cases.map((each) => [each.value, checks[each.member] ?? no]));
      }
      if (property !== undefined && byTag !== undefined) {
        if (typeof value !== 'object' || value === null) return run.refuse(node, value);
        const tag = own.call(value, property) ? (value as Members)[property] : undefined;
        const check = byTag.get(tag as JsonPrimitive);
        return check === undefined ? run.refuse(node, value) : check(value);
      }
      run.count(checks.length);
      let count = 0;
      for (const check of checks) {
        if (!check(value)) continue;
        if (most === Infinity) return true;
        if ((count += 1) > most) return run.refuse(node, value);
      }
      return count === 1 || run.refuse(node, value);
    };
  }

  #unevaluated(node: UnevaluatedNode): Check {
    const { run } = this;
    const inner = this.of(node.node);
    const evaluate = this.evaluatorOf(node.node);
    const [ofKeys, ofItems] = [node.properties, node.items].map((rule) => rule && this.of(rule));
    return (value) => {
      if (!inner(value)) return false;
      const rule = Array.isArray(value) ? ofItems : ofKeys;
      if (rule === undefined || typeof value !== 'object' || value === null) return true;
      const keys = new Set<string>();
      if (evaluate(value, keys)) return true;
      for (const key in value) {
        run.count();
        if (!own.call(value, key) || keys.has(key)) continue;
        if (!rule((value as Members)[key])) return run.refuse(node, value);
      }
      return true;
    };
  }

  #array(node: ArrayNode): Check {
    const { run, distinct } = this;
    const { prefix = [], minItems = 0, maxItems = Infinity, uniqueItems = false, contains } = node;
    const first = prefix.map((each) => this.of(each));
    const rest = this.of(node.items);
    const matches = contains && this.of(contains.node);
    const { min = 0, max = Infinity } = contains ?? {};
    return (value) => {
      if (!Array.isArray(value) || value.length < minItems || value.length > maxItems) {
        return run.refuse(node, value);
      }
      const length = rest === yes ? Math.min(first.length, value.length) : value.length;
      run.count(length);
      for (let i = 0; i < length; i += 1) {
        const check = i < first.length ? (first[i] ?? rest) : rest;
        if (!check(value[i])) return run.within(i);
      }
      if (uniqueItems && distinct.duplicates(value) !== undefined) return run.refuse(node, value);
      if (matches === undefined) return true;
      let count = 0;
      run.count(value.length);
      for (const item of value) if (matches(item)) count += 1;
      return (count >= min && count <= max) || run.refuse(node, value);
    };
  }

  #object(node: ObjectNode): Check {
    const { run } = this;
    const { properties, additional, names, minProperties = 0, maxProperties = Infinity } = node;
    const rest =
      additional.kind === 'typed'
        ? this.#later(additional.node)
        : additional.kind === 'closed'
          ? no
          : yes;
    const rules = properties.map((each) => ruleOf(each, rest));
    const all = rules.filter((rule) => rule.required).length;
    const size = rules.length;
    let byName: ReadonlyMap<string, number> | undefined;
    const find = (name: string): number => {
      byName ??= new Map(rules.map((rule, index) => [rule.name, index]));
      return byName.get(name) ?? size;
    };
    const isPlain = node.patterns === undefined && names === undefined;
    const general = isPlain ? undefined : this.#general(node, rest);
    const isCounted = !isPlain || minProperties > 0 || maxProperties < Infinity;
    return (value) => {
      if (typeof value !== 'object' || value === null || Array.isArray(value)) {
        return run.refuse(node, value);
      }
      const object = value as Members;
      let count = 0;
      let missing = all;
      let next = 0;
      for (const key in object) {
        // Names of a prototype are not the value's.
        if (!Object.prototype.hasOwnProperty.call(object, key)) continue;
        const part = object[key];
        // JSON leaves such members out.
        if (part === undefined) continue;
        count += 1;
        // Most values have their keys in the order of the schema, so the rule is near.
        let at = next;
        const end = next + NEAR < size ? next + NEAR : size;
        while (at < end && rules[at]?.name !== key) at += 1;
        if (at === end) at = find(key);
        let check = rest;
        const rule = rules[at];
        if (rule !== undefined) {
          next = at + 1;
          missing -= rule.required;
          if (general === undefined && typeof part === 'string') {
            if (part.length >= rule.shortest && part.length <= rule.longest) continue;
          }
          check = rule.check ??= this.of(rule.node);
        }
        if (
          general === undefined
            ? check(part)
            : general(key, rule?.isListed ? check : undefined, part)
        )
          continue;
        run.count(count);
        if (!run.traces) return false;
        // A refusal names what is wrong with the keys of an object before its parts.
        const isOwn = isCounted || check === no || (missing > 0 && lacks(rules, object));
        return isOwn ? run.refuse(node, value) : run.within(key);
      }
      run.count(count);
      return (
        (missing === 0 && count >= minProperties && count <= maxProperties) ||
        run.refuse(node, value)
      );
    };
  }

  /** The check of a member where `propertyNames` or `patternProperties` apply. */
  #general(
    { names, patterns = [] }: ObjectNode,
    rest: Check,
  ): (key: string, check: Check | undefined, part: unknown) => boolean {
    const { run } = this;
    const ofName = names && this.#later(names);
    const rules = patterns.map((rule) => ({
      test: countedTest(matcherOf(rule.pattern), run),
      check: this.#later(rule.node),
    }));
    return (key, check, part) => {
      if (ofName && !ofName(key)) return false;
      let isRuled = check !== undefined;
      if (check && !check(part)) return false;
      run.count(rules.length);
      for (const rule of rules) {
        if (!rule.test(key)) continue;
        isRuled = true;
        if (!rule.check(part)) return false;
      }
      return isRuled || rest(part);
    };
  }
}

function lacks(rules: readonly KeyRule[], object: Members): boolean {
  return rules.some(({ required, name }) => required && !has(object, name));
}

/** Whether an object has a member: one that is undefined is left out of JSON. */
export function has(object: Members, name: string): boolean {
  return own.call(object, name) && object[name] !== undefined;
}

function literalCheck(node: Extract<Node, { readonly kind: 'literal' }>, run: Run): Check {
  const { values } = node;
  const [only] = values;
  if (values.length === 1) return (value) => value === only || run.refuse(node, value);
  if (values.length > 8) {
    const set = new Set<unknown>(values);
    return (value) => set.has(value) || run.refuse(node, value);
  }
  return (value) => values.includes(value as JsonPrimitive) || run.refuse(node, value);
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

function stringCheck(node: StringNode, formats: boolean, run: Run): Check {
  const { minLength = 0, maxLength = Infinity, pattern, format } = node;
  const isBounded = minLength > 0 || maxLength < Infinity;
  const matcher = pattern === undefined ? undefined : matcherOf(pattern);
  const { native } = matcher ?? {};
  if (native && !isBounded && format === undefined) {
    return (value) =>
      (typeof value === 'string' && countText(run, value) && native.test(value)) ||
      run.refuse(node, value);
  }
  const test = matcher && countedTest(matcher, run);
  const form =
    format !== undefined && formats
      ? countedTest({ test: formatCheck(format), cost: formatCost(format) }, run)
      : undefined;
  if (test === undefined && form === undefined) {
    if (!isBounded) return (value) => typeof value === 'string' || run.refuse(node, value);
    return (value) =>
      (typeof value === 'string' && hasLength(value, minLength, maxLength, run)) ||
      run.refuse(node, value);
  }
  return (value) =>
    (typeof value === 'string' &&
      (!isBounded || hasLength(value, minLength, maxLength, run)) &&
      (test === undefined || test(value)) &&
      (form === undefined || form(value))) ||
    run.refuse(node, value);
}

/** Code units bound code points from both sides, so most texts need no count. */
function hasLength(text: string, min: number, max: number, run: Run): boolean {
  const units = text.length;
  if (units < min || units > 2 * max) return false;
  if (units <= max && units >= 2 * min) return true;
  countText(run, text);
  const length = characters(text);
  return length >= min && length <= max;
}

function numberCheck(node: NumberNode, run: Run): Check {
  const {
    integer,
    minimum = -Infinity,
    maximum = Infinity,
    exclusiveMinimum = -Infinity,
    exclusiveMaximum = Infinity,
    multipleOf,
  } = node;
  return (value) =>
    // JSON text may contain 1e999, which is infinite here.
    (typeof value === 'number' &&
      (integer ? Number.isInteger(value) : Number.isFinite(value)) &&
      value >= minimum &&
      value <= maximum &&
      value > exclusiveMinimum &&
      value < exclusiveMaximum &&
      (multipleOf === undefined || multiple(value, multipleOf))) ||
    run.refuse(node, value);
}
