import { isObject } from '../json.js';
import { resolve } from '../lookup.js';
import type { JsonValue, Node, ObjectNode } from '../model.js';
import { mergedObject } from '../compare/merge.js';
import type { Schemas } from '../compare/proof.js';
import { rulesOf } from '../compare/rules.js';
import type { Sampler } from './samples.js';

/** Parts of a value that are looked at, because alternatives of a stranger may contain each other. */
const MOST_PARTS = 200;

interface Repairing extends Schemas {
  readonly sampler: Sampler;
  readonly spend: () => boolean;
}

/**
 * A value of `narrow` with parts replaced or left out, so that `wide` accepts it too. What `wide` accepts stays. It names no
 * key that only `wide` names. Unchanged when no such value is found.
 */
export function repaired(
  value: JsonValue,
  narrow: Node,
  wide: Node,
  at: Omit<Repairing, 'spend'>,
): JsonValue {
  let left = MOST_PARTS;
  return repairedPart(value, narrow, wide, { ...at, spend: () => (left -= 1) > 0 });
}

function repairedPart(value: JsonValue, narrow: Node, wide: Node, at: Repairing): JsonValue {
  const { acceptance, sampler, spend } = at;
  if (!spend() || acceptance.accepts(wide, value)) return value;
  const isBoth = (each: JsonValue): boolean =>
    acceptance.accepts(narrow, each) && acceptance.accepts(wide, each);
  const parts = withParts(value, narrow, wide, at).find(isBoth);
  return parts ?? sampler.samples(narrow).find((each) => acceptance.accepts(wide, each)) ?? value;
}

function withParts(value: JsonValue, one: Node, other: Node, at: Repairing): JsonValue[] {
  const [narrow, wide] = [one, other].map((node) => simplified(node, at));
  if (narrow?.kind === 'object' && wide?.kind === 'object' && isObject(value))
    return [withKeys(value, narrow, wide, at)];
  if (narrow?.kind === 'array' && wide?.kind === 'array' && Array.isArray(value)) {
    const rule = ({ prefix, items }: typeof narrow, index: number): Node =>
      prefix?.[index] ?? items;
    return [
      value.map((item, index) => repairedPart(item, rule(narrow, index), rule(wide, index), at)),
    ];
  }
  const members = (node: Node | undefined): readonly Node[] =>
    node?.kind === 'union' || node?.kind === 'exclusive' ? node.members : [];
  return members(narrow)
    .filter((member) => at.acceptance.accepts(member, value))
    .flatMap((member) => members(wide).flatMap((each) => withParts(value, member, each, at)));
}

/** The node, or one object for an intersection of objects. */
function simplified(node: Node, { definitions }: Repairing): Node {
  const target = resolve(node, definitions);
  if (target.kind !== 'intersection') return target;
  return mergedObject(target.members, definitions) ?? target;
}

function withKeys(
  value: { readonly [key: string]: JsonValue },
  narrow: ObjectNode,
  wide: ObjectNode,
  at: Repairing,
): JsonValue {
  const isRequired = (object: ObjectNode, key: string): boolean =>
    object.properties.some(({ name, required }) => name === key && required);
  const rule = (object: ObjectNode, key: string): Node => {
    const [first, ...others] = rulesOf(object, key);
    return first && others.length === 0
      ? first
      : { kind: 'intersection', members: rulesOf(object, key) };
  };
  const repairedAt = (key: string, own: JsonValue): [string, JsonValue][] => {
    const part = repairedPart(own, rule(narrow, key), rule(wide, key), at);
    const stays = isRequired(narrow, key) || at.acceptance.accepts(rule(wide, key), part);
    return stays ? [[key, part]] : [];
  };
  const missing = narrow.properties
    .map(({ name }) => name)
    .filter((name) => !Object.hasOwn(value, name) && isRequired(wide, name));
  return Object.fromEntries([
    ...Object.entries(value).flatMap(([key, own]) => repairedAt(key, own)),
    ...missing.flatMap((key) =>
      at.sampler
        .samples(rule(narrow, key))
        .slice(0, 1)
        .flatMap((own) => repairedAt(key, own)),
    ),
  ]);
}
