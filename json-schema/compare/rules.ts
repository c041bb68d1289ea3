import type { Node, ObjectNode } from '../model.js';
import { matcherOf } from '../pattern/matcher.js';

/** The rules of an object for the value of a key; all of them apply. */
export function rulesOf(node: ObjectNode, key: string): readonly Node[] {
  const { properties, patterns = [], additional } = node;
  const listed = properties.filter(({ name, unlisted }) => name === key && !unlisted);
  const matching = patterns.filter(({ pattern }) => matcherOf(pattern).test(key));
  const own = [...listed, ...matching].map((each) => each.node);
  if (own.length > 0) return own;
  if (additional.kind === 'typed') return [additional.node];
  return [{ kind: additional.kind === 'closed' ? 'never' : 'any' }];
}

/** Whether a pattern of an object describes a key. */
export function isMatched({ patterns = [] }: ObjectNode, key: string): boolean {
  return patterns.some(({ pattern }) => matcherOf(pattern).test(key));
}
