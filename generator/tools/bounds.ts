import type { Context } from './context.js';
import type { Declaration } from './declaration.js';
import { TOOL_LIMITS } from './limits.js';
import { partsOf, UNKNOWN, withParts } from './type.js';
import type { Type } from './type.js';

/**
 * Replaces types that the compiler refuses by `unknown`: a type that refers to itself directly, and an
 * intersection of unions with too many combinations.
 */
export function bounded(
  declarations: readonly Declaration[],
  widen: Context['widen'],
): Declaration[] {
  const circular = circularNames(declarations);
  const types = new Map(
    declarations.map(({ name, type }) => [name, circular.has(name) ? UNKNOWN : type]),
  );
  if (circular.size > 0) {
    widen([], 'circular-ref', 'A "$ref" refers to itself without an object or array in between');
  }
  const weigh = weighing(types);
  let tooMany = false;
  const bound = (type: Type): Type => {
    const light = withParts(type, bound);
    if (light.kind !== 'intersection' || weigh(light) <= TOOL_LIMITS.combinations) return light;
    tooMany = true;
    return UNKNOWN;
  };
  const kept = [...types].map(([name, type]) => ({ name, type: bound(type) }));
  if (tooMany) widen([], 'too-large', '"allOf", "anyOf" and "oneOf" have too many combinations');
  return kept;
}

/** The names of types that refer to themselves directly. */
function circularNames(declarations: readonly Declaration[]): Set<string> {
  const edges = new Map(declarations.map(({ name, type }) => [name, directNames(type)]));
  const reaches = (goal: string): boolean => {
    const seen = new Set<string>();
    const waiting = [...(edges.get(goal) ?? [])];
    for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
      if (next === goal) return true;
      if (seen.has(next)) continue;
      seen.add(next);
      waiting.push(...(edges.get(next) ?? []));
    }
    return false;
  };
  return new Set([...edges.keys()].filter(reaches));
}

function directNames(type: Type): string[] {
  if (type.kind === 'ref') return [type.name];
  return type.kind === 'union' || type.kind === 'intersection'
    ? type.members.flatMap(directNames)
    : [];
}

/**
 * The number of combinations that the compiler may form for a type or any property in it. The numbers of
 * a union's members add up, those of an intersection multiply, and literals count as one.
 */
function weighing(types: ReadonlyMap<string, Type>): (type: Type) => number {
  const known = new Map<string, number>();
  const weigh = (type: Type): number => {
    if (type.kind === 'ref') {
      if (!known.has(type.name)) {
        known.set(type.name, 1);
        known.set(type.name, weigh(types.get(type.name) ?? UNKNOWN));
      }
      return known.get(type.name) ?? 1;
    }
    const weights = partsOf(type)
      .filter(({ kind }) => kind !== 'literal')
      .map(weigh);
    if (type.kind === 'union') return weights.reduce((sum, weight) => sum + weight, 1);
    if (type.kind === 'intersection') {
      return weights.reduce((product, weight) => product * weight, 1);
    }
    return Math.max(1, ...weights);
  };
  return weigh;
}
