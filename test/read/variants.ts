import type { JsonValue } from '../../json-schema/index.js';

/** Random numbers from a seed: below `limit`, and not negative. */
export type Random = (limit: number) => number;

/** The generator "mulberry32". */
export function randomFrom(seed: number): Random {
  let state = seed >>> 0;
  return (limit) => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) % limit;
  };
}

/** Every value that is written in a schema or a value, itself included. */
export function partsOf(value: JsonValue, found: JsonValue[] = []): JsonValue[] {
  found.push(value);
  if (typeof value === 'object' && value !== null) {
    for (const inner of Object.values(value)) partsOf(inner, found);
  }
  return found;
}

/** A copy of a value with one place changed: another value, one item or key more or less, a number beside it. */
export function variantOf(
  value: JsonValue,
  parts: readonly JsonValue[],
  random: Random,
): JsonValue {
  const pick = (): JsonValue => parts[random(parts.length)] ?? null;
  if (typeof value !== 'object' || value === null || random(5) === 0) {
    return typeof value === 'number' && random(2) === 0 ? value + (STEPS[random(4)] ?? 1) : pick();
  }
  if (Array.isArray(value)) return listVariant(value, parts, pick, random);
  return objectVariant(value, parts, pick, random);
}

const STEPS = [-1, -0.5, 0.5, 1] as const;

function listVariant(
  list: readonly JsonValue[],
  parts: readonly JsonValue[],
  pick: () => JsonValue,
  random: Random,
): JsonValue {
  const index = random(list.length + 1);
  const kind = random(4);
  if (kind === 0) return list.toSpliced(index, 0, pick());
  if (kind === 1) return list.toSpliced(index, 1);
  if (kind === 2) return list.toSpliced(index, 0, list[random(list.length)] ?? null);
  const inner = list[index];
  return inner === undefined
    ? [...list, pick()]
    : list.with(index, variantOf(inner, parts, random));
}

const KEYS = ['a', 'b', 'ab', 'c'] as const;

function objectVariant(
  object: { readonly [key: string]: JsonValue },
  parts: readonly JsonValue[],
  pick: () => JsonValue,
  random: Random,
): JsonValue {
  const key = KEYS[random(KEYS.length)] ?? 'a';
  const { [key]: inner, ...others } = object;
  if (inner === undefined) return { ...object, [key]: pick() };
  return random(2) === 0 ? others : { ...object, [key]: variantOf(inner, parts, random) };
}
