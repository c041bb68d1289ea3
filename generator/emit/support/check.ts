/** Functions that the checks of `validators.ts` call. They return whether a value is valid. */
import type { ValidationOptions } from './validation.js';

/** The shared state of the checks of one validation. */
export interface Context {
  readonly formats: boolean;
  /** The remaining levels of recursive definitions. */
  depth: number;
  /** The remaining values of recursive definitions. */
  fuel: number;
}

export type Check = (v: unknown, c: Context) => boolean;

/** What a check is about to look at. Not `unknown`, because checks read properties without a call that narrows it. */
// eslint-disable-next-line @typescript-eslint/no-explicit-any
export type Unchecked = any;

export type Properties = { readonly [key: string]: unknown };

/** An object with the members of JSON-RPC. */
export type Members = Properties & {
  readonly id?: unknown;
  readonly method?: unknown;
  readonly params?: unknown;
  readonly result?: unknown;
  readonly error?: unknown;
};

const PLAIN: Context = { formats: false, depth: 0, fuel: 0 };
const STRICT: Context = { formats: true, depth: 0, fuel: 0 };

/**
 * The state at the start of a validation. One object for all, because a new one takes as long as a third of the check of a
 * small message. A getter of a value may validate another one meanwhile: it gives the limits anew, and `nest` restores
 * the depth.
 */
export function contextOf(options: ValidationOptions | undefined): Context {
  const c = options?.formats === true ? STRICT : PLAIN;
  c.depth = 500;
  c.fuel = 50_000_000;
  return c;
}

/** Returns false for a value that throws when it is read, or that exhausts the stack. */
export function accepts(
  check: Check,
  value: unknown,
  options: ValidationOptions | undefined,
): boolean {
  try {
    return check(value, contextOf(options));
  } catch {
    return false;
  }
}

export function record(v: unknown): v is Properties {
  return typeof v === 'object' && v !== null && !Array.isArray(v);
}

/** The engine's own functions, because each call of ours counts against what it inlines. */
export const list: (v: unknown) => v is readonly unknown[] = Array.isArray;
export const finite = Number.isFinite as (v: unknown) => v is number;
export const whole = Number.isInteger as (v: unknown) => v is number;

/** The own property, because every object inherits one of that name. */
export function ownMember(v: Properties, key: string): unknown {
  return Object.hasOwn(v, key) ? v[key] : undefined;
}

/** Checks a recursive definition within the limits. */
export function nest(check: Check, v: unknown, c: Context): boolean {
  const { depth } = c;
  if (depth <= 0 || c.fuel <= 0) return false;
  c.depth = depth - 1;
  c.fuel--;
  const valid = check(v, c);
  c.depth = depth;
  return valid;
}

/** The objects that one place of the code has seen: hashes of some orders of keys, and how many pass until the next look. */
export interface Seen {
  readonly orders: number[];
  /** -1 when there are too many orders. */
  left: number;
}

export function seen(): Seen {
  return { orders: [], left: 0 };
}

/**
 * Whether the objects of a place have so few shapes that the engine knows where each property is: one object, or the items of a
 * list. V8 handles four shapes in one place of the code. From the fifth on, it looks properties up, which a loop does not. One
 * value of 51 is looked at.
 */
export function alike(place: Seen, v: unknown): boolean {
  if (place.left > 0) {
    place.left--;
    return true;
  }
  return place.left === 0 && look(place, list(v) ? v : [v]);
}

/** Of a list, up to eight items. */
function look(place: Seen, items: readonly unknown[]): boolean {
  const { orders } = place;
  for (let i = 0; i < items.length; i += 1 + (items.length >> 3)) {
    const v = items[i];
    let order = 0;
    if (record(v)) for (const key in v) order = order * 9 + key.charCodeAt(0);
    if (!orders.includes(order)) orders.push(order);
  }
  place.left = orders.length > 4 ? -1 : 50;
  return place.left > 0;
}
