import { type JsonValue, type Subschema, subschemas } from '../../../json-schema/index.js';

/** A reference, and whether following it comes back to a schema that was left. */
export interface Reference extends Subschema {
  readonly recursive: boolean;
}

/**
 * The references of a schema. Those that leave the document are not followed. Takes time in proportion to the
 * references and the levels around them, because a schema may come from a stranger.
 */
export function references(root: JsonValue): readonly Reference[] {
  const all = subschemas(root).filter(({ schema }) => typeof schema['$ref'] === 'string');
  const targets = new Map<object, Target>();
  const targetOf = new Map<Subschema, Target>();
  for (const each of all) {
    const value = resolved(each, root);
    if (value === undefined) continue;
    const target = targets.get(value) ?? { namedBy: [], unended: 0 };
    targets.set(value, target);
    targetOf.set(each, target);
    target.namedBy.push(each);
  }
  const around = new Map(all.map((each) => [each, targetsAround(each, root, targets)]));
  for (const target of [...around.values()].flat()) target.unended += 1;

  // A reference ends when all references in its target do: those that do not end are recursive.
  const endless = new Set(all);
  const ended = all.filter((each) => (targetOf.get(each)?.unended ?? 0) === 0);
  for (let each = ended.pop(); each !== undefined; each = ended.pop()) {
    endless.delete(each);
    for (const target of around.get(each) ?? []) {
      target.unended -= 1;
      if (target.unended === 0) ended.push(...target.namedBy);
    }
  }
  return all.map((each) => ({ ...each, recursive: endless.has(each) }));
}

/** A value that references name. */
interface Target {
  readonly namedBy: Subschema[];
  /** References in it that may not end. */
  unended: number;
}

/** The targets in which a reference stands. */
function targetsAround(
  { path }: Subschema,
  root: JsonValue,
  targets: ReadonlyMap<object, Target>,
): readonly Target[] {
  const values = [root, ...path.map(stepsFrom(root))];
  return values
    .map((value) => (isValue(value) ? targets.get(value) : undefined))
    .filter((target) => target !== undefined);
}

/** The object or array in the document that a reference names; undefined for others. */
function resolved({ schema }: Subschema, root: JsonValue): object | undefined {
  const reference = schema['$ref'];
  if (typeof reference !== 'string' || !/^#(?:\/|$)/.test(reference)) return undefined;
  try {
    const steps = decodeURIComponent(reference.slice(1)).split('/').slice(1);
    const names = steps.map((step) => step.replaceAll('~1', '/').replaceAll('~0', '~'));
    const value = names.map(stepsFrom(root)).at(-1) ?? (names.length === 0 ? root : undefined);
    return isValue(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

/** Goes down a step at each call. */
function stepsFrom(root: JsonValue): (step: string | number) => unknown {
  let value: unknown = root;
  return (step) => {
    value =
      isValue(value) && Object.hasOwn(value, step)
        ? (Reflect.get(value, step) as unknown)
        : undefined;
    return value;
  };
}

function isValue(value: unknown): value is object {
  return typeof value === 'object' && value !== null;
}
