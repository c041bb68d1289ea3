// Written by mcp-codegen: what the generated files beside this folder have in common. Do not edit.
/* eslint-disable */

/** What the checks of `validators.ts` call: functions that only say whether a value is valid. */
import type { ValidationOptions } from './validation.js';

/** What checks share during one validation. */
export interface Context {
  readonly formats: boolean;
  /** How many levels deeper definitions that hold themselves may go. */
  depth: number;
  /** How many values of such definitions are looked at before giving up. */
  fuel: number;
}

export type Check = (v: unknown, c: Context) => boolean;

export type Properties = { readonly [key: string]: unknown };

export function contextOf(options: ValidationOptions | undefined): Context {
  return { formats: options?.formats === true, depth: 500, fuel: 50_000_000 };
}

/** What throws when it is read, or nests so that the stack ends, is not valid. */
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

export function list(v: unknown): v is readonly unknown[] {
  return Array.isArray(v);
}

export function finite(v: unknown): v is number {
  return Number.isFinite(v);
}

export function whole(v: unknown): v is number {
  return Number.isInteger(v);
}

/** Every object inherits a member of that name; only its own counts. */
export function ownMember(v: Properties, key: string): unknown {
  return Object.hasOwn(v, key) ? v[key] : undefined;
}

/** Follows a definition that may hold itself, not too far. */
export function nest(check: Check, v: unknown, c: Context): boolean {
  if (c.depth <= 0 || c.fuel <= 0) return false;
  c.depth--;
  c.fuel--;
  const valid = check(v, c);
  c.depth++;
  return valid;
}
