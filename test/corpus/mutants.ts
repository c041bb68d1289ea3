import type { JsonValue } from '../../json-schema/index.js';
import type { Random } from '../read/variants.js';

/** A copy of a value with one place changed, so that a schema often refuses it. `parts` are values to put there. */
export function mutantOf(value: JsonValue, parts: readonly JsonValue[], random: Random): JsonValue {
  const inside = typeof value === 'object' && value !== null && Object.keys(value).length > 0;
  if (!inside || random(6) === 0) return changed(value, parts, random);
  return Array.isArray(value)
    ? listMutant(value, parts, random)
    : objectMutant(value, parts, random);
}

const OTHERS: readonly JsonValue[] = ['', 'text', 0, -1, 1.5, true, null, {}, [], [null], { a: 1 }];

function changed(value: JsonValue, parts: readonly JsonValue[], random: Random): JsonValue {
  const kind = random(3);
  if (kind === 0 && typeof value === 'number') return value + ([-1, -0.5, 0.5, 1][random(4)] ?? 1);
  if (kind === 0 && typeof value === 'string') return stringMutant(value, random);
  if (kind === 0 && Array.isArray(value)) return [...value, OTHERS[random(OTHERS.length)] ?? null];
  if (kind === 0 && typeof value === 'object' && value !== null) return { ...value, unknown: null };
  if (kind === 1) return parts[random(parts.length)] ?? null;
  return OTHERS[random(OTHERS.length)] ?? null;
}

function stringMutant(text: string, random: Random): string {
  const kind = random(4);
  if (kind === 0) return text.slice(1);
  if (kind === 1) return `${text}~`;
  return kind === 2 ? text.toUpperCase() : text.repeat(2);
}

function listMutant(list: readonly JsonValue[], parts: readonly JsonValue[], random: Random) {
  const index = random(list.length);
  const item = list[index] ?? null;
  const kind = random(5);
  if (kind === 0) return list.toSpliced(index, 1);
  if (kind === 1) return list.toSpliced(index, 0, item);
  return list.with(index, mutantOf(item, parts, random));
}

function objectMutant(
  object: { readonly [key: string]: JsonValue },
  parts: readonly JsonValue[],
  random: Random,
): JsonValue {
  const keys = Object.keys(object);
  const key = keys[random(keys.length)] ?? '';
  const entries = Object.entries(object);
  const kind = random(6);
  if (kind === 0) return Object.fromEntries(entries.filter(([name]) => name !== key));
  if (kind === 1) {
    return Object.fromEntries(
      entries.map(([name, own]) => [name === key ? `${name}X` : name, own]),
    );
  }
  const inner = mutantOf(object[key] ?? null, parts, random);
  return Object.fromEntries(entries.map(([name, own]) => [name, name === key ? inner : own]));
}
