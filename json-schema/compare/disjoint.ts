import { literalsOf, resolve } from '../lookup.js';
import type { Definitions } from '../lookup.js';
import type { Node } from '../model.js';
import { rulesOf } from './rules.js';

/** Whether no value surely matches both: by their types, or by a property that has other values in each. */
export function isApart(one: Node, other: Node, definitions: Definitions, level = 0): boolean {
  const [a, b] = [resolve(one, definitions), resolve(other, definitions)];
  if (a.kind === 'never' || b.kind === 'never') return true;
  if (level > MOST_LEVELS) return false;
  const apart = (x: Node, y: Node): boolean => isApart(x, y, definitions, level + 1);
  for (const kind of ['union', 'exclusive'] as const) {
    if (a.kind === kind) return a.members.every((each) => apart(each, b));
    if (b.kind === kind) return b.members.every((each) => apart(a, each));
  }
  if (a.kind === 'intersection') return a.members.some((each) => apart(each, b));
  if (b.kind === 'intersection') return b.members.some((each) => apart(a, each));
  const [types, others] = [typesOf(a), typesOf(b)];
  if (types && others && !types.some((type) => others.includes(type))) return true;
  const [values, more] = [literalsOf(a, definitions), literalsOf(b, definitions)];
  if (values && more) return !values.some((value) => more.includes(value));
  if (a.kind !== 'object' || b.kind !== 'object') return false;
  // A key that one requires is present in a value that matches both.
  const keys = [...a.properties, ...b.properties].filter((each) => each.required);
  return keys.some(({ name }) =>
    rulesOf(a, name).some((rule) => rulesOf(b, name).some((own) => apart(rule, own))),
  );
}

const MOST_LEVELS = 6;

/** The types of JSON that a node's values have; undefined when that is unclear. */
function typesOf(node: Node): readonly string[] | undefined {
  switch (node.kind) {
    case 'null':
    case 'boolean':
    case 'string':
    case 'number':
    case 'array':
    case 'object':
      return [node.kind];
    case 'literal':
      return node.values.map((value) => (value === null ? 'null' : typeof value));
    case 'constant':
      return [Array.isArray(node.value) ? 'array' : 'object'];
    default:
      return undefined;
  }
}
