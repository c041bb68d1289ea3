import { resolve } from '../lookup.js';
import type { Definitions } from '../lookup.js';
import type { ArrayNode, Node, ObjectNode } from '../model.js';
import { matcherOf } from '../pattern/matcher.js';
import { countedTest } from './steps.js';
import type { Check, Run } from './steps.js';

/** Adds the keys or indexes of an accepted value that a node describes; true when it describes all. */
export type Evaluator = (value: object, keys: Set<string>) => boolean;

const nothing: Evaluator = () => false;

/** What nodes describe, for `unevaluatedProperties` and `unevaluatedItems`: closures, as checks are. */
export function createEvaluators(
  definitions: Definitions,
  checkOf: (node: Node) => Check,
  run: Run,
): (node: Node) => Evaluator {
  function of(node: Node): Evaluator {
    switch (node.kind) {
      case 'object':
        return ofObject(node, run);
      case 'array':
        return ofArray(node, checkOf, run);
      case 'intersection':
        return together(node.members.map(of));
      case 'union':
      case 'exclusive':
        return together(node.members.map((member) => where(checkOf(member), of(member))));
      case 'conditional': {
        const [condition, then, otherwise] = [
          checkOf(node.if),
          together([of(node.if), of(node.then)]),
          of(node.else),
        ];
        return (value, keys) => (condition(value) ? then(value, keys) : otherwise(value, keys));
      }
      case 'unevaluated': {
        const { properties, items } = node;
        const inner = of(node.node);
        return (value, keys) =>
          (Array.isArray(value) ? items : properties) ? true : inner(value, keys);
      }
      case 'ref': {
        let target: Evaluator | undefined;
        return (value, keys) => {
          run.count();
          target ??= of(resolve(node, definitions));
          return target(value, keys);
        };
      }
      default:
        return nothing;
    }
  }
  return of;

  function together(all: readonly Evaluator[]): Evaluator {
    const telling = all.filter((each) => each !== nothing);
    if (telling.length === 0) return nothing;
    return (value, keys) => {
      run.count(telling.length);
      for (const each of telling) if (each(value, keys)) return true;
      return false;
    };
  }
}

function where(check: Check, evaluator: Evaluator): Evaluator {
  if (evaluator === nothing) return nothing;
  return (value, keys) => check(value) && evaluator(value, keys);
}

function ofObject({ properties, patterns = [], additional }: ObjectNode, run: Run): Evaluator {
  if (additional.kind !== 'unsaid') return (value) => !Array.isArray(value);
  const listed = new Set(properties.filter(({ unlisted }) => !unlisted).map(({ name }) => name));
  const tests = patterns.map(({ pattern }) => countedTest(matcherOf(pattern), run));
  if (listed.size === 0 && tests.length === 0) return nothing;
  return (value, keys) => {
    if (Array.isArray(value)) return false;
    for (const key of Object.keys(value)) {
      run.count(1 + tests.length);
      if (listed.has(key) || tests.some((test) => test(key))) keys.add(key);
    }
    return false;
  };
}

function ofArray(
  { items, openItems, prefix = [], contains }: ArrayNode,
  checkOf: (node: Node) => Check,
  run: Run,
): Evaluator {
  if (items.kind !== 'any' || openItems === true) return (value) => Array.isArray(value);
  const matches = contains?.evaluates === true ? checkOf(contains.node) : undefined;
  if (prefix.length === 0 && !matches) return nothing;
  return (value, keys) => {
    if (!Array.isArray(value)) return false;
    const known = Math.min(prefix.length, value.length);
    for (let index = 0; index < known; index += 1) keys.add(String(index));
    run.count(known);
    if (matches) {
      run.count(value.length);
      for (const [index, item] of value.entries()) if (matches(item)) keys.add(String(index));
    }
    return false;
  };
}
