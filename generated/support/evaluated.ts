// Written by mcp-codegen: what the generated files beside this folder have in common. Do not edit.
/* eslint-disable */

/** What the parts of a schema have described of a value, for `unevaluatedProperties` and `unevaluatedItems`. */
import { list, record } from './check.js';

/** The keys or items of one value that some part describes. */
export interface Evaluated {
  all: boolean;
  readonly keys: Set<string>;
  /** All items before this index. */
  upTo: number;
  readonly items: Set<number>;
}

export function nothing(): Evaluated {
  return { all: false, keys: new Set(), upTo: 0, items: new Set() };
}

export function addKeys(e: Evaluated, v: unknown, keys: readonly string[]): void {
  if (record(v)) for (const key of keys) e.keys.add(key);
}

export function addMatching(e: Evaluated, v: unknown, matches: (key: string) => boolean): void {
  if (!record(v)) return;
  for (const key in v) if (matches(key)) e.keys.add(key);
}

export function addAllKeys(e: Evaluated, v: unknown): void {
  if (record(v)) e.all = true;
}

export function addAllItems(e: Evaluated, v: unknown): void {
  if (list(v)) e.all = true;
}

export function addFirst(e: Evaluated, v: unknown, count: number): void {
  if (list(v)) e.upTo = Math.max(e.upTo, count);
}

export function addItems(e: Evaluated, v: unknown, matches: (item: unknown) => boolean): void {
  if (!list(v)) return;
  for (let i = e.upTo; i < v.length; i++) if (matches(v[i])) e.items.add(i);
}

/** Whether the rest of a value matches. */
export function restMatches(
  e: Evaluated,
  v: unknown,
  properties: ((v: unknown) => boolean) | undefined,
  items: ((v: unknown) => boolean) | undefined,
): boolean {
  if (e.all) return true;
  if (list(v)) {
    if (items) {
      for (let i = e.upTo; i < v.length; i++) if (!e.items.has(i) && !items(v[i])) return false;
    }
  } else if (properties && record(v)) {
    for (const key in v) if (!e.keys.has(key) && !properties(v[key])) return false;
  }
  return true;
}
