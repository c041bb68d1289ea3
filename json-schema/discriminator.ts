import { literalsOf, propertiesOf, resolve } from './lookup.js';
import type { Definitions } from './lookup.js';
import type { Discriminator, JsonPrimitive, Node } from './model.js';

/**
 * The discriminator of a union: a property that all members require, each with its own literals. Among
 * several, `method`, `type` and `status` come first, because the protocol dispatches on them.
 */
export function discriminatorOf(
  members: readonly Node[],
  definitions: Definitions,
): Discriminator | undefined {
  const candidates = members.map((member) => literalProperties(member, definitions));
  const shared = [...(candidates[0]?.keys() ?? [])].filter((name) =>
    candidates.every((candidate) => candidate.has(name)),
  );
  return shared
    .sort((a, b) => rank(a) - rank(b))
    .map((property) => discriminatorBy(property, candidates))
    .find((discriminator) => discriminator !== undefined);
}

const PREFERRED = ['method', 'type', 'status'];

function rank(property: string): number {
  const index = PREFERRED.indexOf(property);
  return index === -1 ? PREFERRED.length : index;
}

type LiteralProperties = Map<string, readonly JsonPrimitive[]>;

function literalProperties(member: Node, definitions: Definitions): LiteralProperties {
  const target = resolve(member, definitions);
  const found: LiteralProperties = new Map();
  if (target.kind !== 'object' && target.kind !== 'intersection') return found;
  for (const property of propertiesOf(target, definitions)) {
    const values = literalsOf(property.node, definitions);
    if (property.required && values) found.set(property.name, values);
  }
  return found;
}

function discriminatorBy(
  property: string,
  candidates: readonly LiteralProperties[],
): Discriminator | undefined {
  const cases = candidates.flatMap((candidate, member) =>
    (candidate.get(property) ?? []).map((value) => ({ value, member })),
  );
  const distinct = new Set(cases.map(({ value }) => value)).size === cases.length;
  return distinct ? { property, cases } : undefined;
}
