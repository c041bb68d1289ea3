import {
  isObject,
  type JsonValue,
  references as allReferences,
  type Subschema,
} from '../../json-schema/index.js';

/** A reference, and whether following it comes back to a schema that was left. */
export interface Reference extends Subschema {
  readonly recursive: boolean;
}

/**
 * The references of a schema. Those that leave the document are not followed. Takes time in proportion to the
 * references and the levels around them, because a schema may come from a stranger.
 */
export function references(root: JsonValue): readonly Reference[] {
  if (!isObject(root)) return [];
  const all = allReferences(root, '2020-12').filter(({ keyword }) => keyword === '$ref');
  const targets = new Map<unknown, Target>();
  const targetOf = new Map<Subschema, Target>();
  for (const each of all) {
    if (typeof each.target === 'string') continue;
    const value = each.target.schema;
    const target = targets.get(value) ?? { namedBy: [], unended: 0 };
    targets.set(value, target);
    targetOf.set(each, target);
    target.namedBy.push(each);
  }
  const around = new Map(all.map((each) => [each, targetsAround(each, root, targets)]));
  for (const target of [...around.values()].flat()) target.unended += 1;

  // A reference ends when all references in its target do: those that do not end are recursive.
  const endless = new Set<Subschema>(all);
  const ended = all.filter((each) => (targetOf.get(each)?.unended ?? 0) === 0) as Subschema[];
  for (let each = ended.pop(); each !== undefined; each = ended.pop()) {
    endless.delete(each);
    for (const target of around.get(each as never) ?? []) {
      target.unended -= 1;
      if (target.unended === 0) ended.push(...target.namedBy);
    }
  }
  return all.map((each) => ({ ...each, recursive: endless.has(each) }));
}

/** A schema that references name. */
interface Target {
  readonly namedBy: Subschema[];
  /** References in it that may not end. */
  unended: number;
}

/** The targets in which a reference stands. */
function targetsAround(
  { path }: Subschema,
  root: JsonValue,
  targets: ReadonlyMap<unknown, Target>,
): readonly Target[] {
  const values = [root];
  for (const step of path) values.push((values.at(-1) as never)[step]);
  return values.map((value) => targets.get(value)).filter((target) => target !== undefined);
}
