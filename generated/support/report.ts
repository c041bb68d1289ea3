// Written by mcp-codegen: what the generated files beside this folder have in common. Do not edit.
/* eslint-disable */

/** Reports the errors of an invalid value. */
import { accepts, contextOf, list } from './check.js';
import type { Check, Context, Properties } from './check.js';
import type { Validation, ValidationError, ValidationOptions } from './validation.js';

/** Keys, outermost first. */
export type Path = readonly (string | number)[];

export interface Report {
  readonly context: Context;
  readonly errors: ValidationError[];
  /** The number of further faults to look for, including duplicates. */
  left: number;
  /** The keys from the value to the current place; before `start`, to the value itself. */
  readonly path: (string | number)[];
  readonly start: number;
  /** Whether a fault is anywhere but in the value's `params`. */
  outside: boolean;
  /**
   * Whether a union member is being tried. Then only the number of faults counts, and no errors are
   * written.
   */
  readonly trying: boolean;
  /** The first expectation that failed. */
  expected: string;
  /** The start of the innermost union's value; -1 outside unions. */
  readonly root: number;
  /** The distance of the value from a valid one. */
  weight: number;
}

/** What a place of a schema expects. */
export interface Shape {
  /** Accepts the values without errors, if that is known without looking for them. */
  readonly check: Check | undefined;
  /** Writes the errors of a value, which the check does not accept, to the report. */
  readonly explain: Explain;
}

export type Explain = (r: Report, v: unknown) => void;

export function shaped(explain: Explain, check?: Check): Shape {
  return { check, explain };
}

/** Writes the errors of a value to the report. */
export function visit({ check, explain }: Shape, r: Report, v: unknown): void {
  if (check?.(v, r.context) !== true) explain(r, v);
}

export function validation<T>(
  check: Check,
  shape: Shape,
  value: unknown,
  options: ValidationOptions | undefined,
): Validation<T> {
  return accepts(check, value, options)
    ? { ok: true, value: value as T }
    : { ok: false, errors: errorsOf(shape, value, options) };
}

export function errorsOf(
  shape: Shape,
  value: unknown,
  options: ValidationOptions | undefined,
): ValidationError[] {
  return reportOn(shape, value, options, []).errors;
}

/** Contains at least one error, also for a value that changes while it is read. */
export function reportOn(
  shape: Shape,
  value: unknown,
  options: ValidationOptions | undefined,
  path: Path,
): Report {
  const r: Report = {
    context: contextOf(options),
    errors: [],
    left: Math.max(1, options?.maxErrors ?? 100),
    path: [...path],
    start: path.length,
    outside: false,
    trying: false,
    expected: '',
    root: -1,
    weight: 0,
  };
  try {
    visit(shape, r, value);
  } catch {
    fail(r, 'readable', value);
    r.path.length = path.length;
  }
  if (r.errors.length === 0) fail(r, 'unchanged while it is read', value);
  return r;
}

/** The report of a member of a union. A literal, because a copy by `...` gets a new object shape each time. */
export function nested(r: Report, root: number, trying: boolean): Report {
  const { context, errors, left, path, start, outside } = r;
  return { context, errors, left, path, start, outside, trying, expected: '', root, weight: 0 };
}

/** A fault deeper down weighs less, because the member's own properties identify it. */
export function fail(
  r: Report,
  expected: string,
  v: unknown,
  weight: number = v === undefined ? 10 : 1,
): void {
  const depth = r.path.length - r.root;
  r.weight += depth === 0 ? Infinity : depth === 1 ? weight : 1;
  r.expected ||= expected;
  if (r.left <= 0) return;
  r.left--;
  if (r.trying) return;
  if (r.path[r.start] !== 'params') r.outside = true;
  const pointer = pointerTo(r.path);
  for (const known of r.errors) {
    if (known.pointer === pointer && known.expected === expected) return;
  }
  const received = describe(v);
  const where = pointer || 'The value';
  const message =
    v === undefined
      ? `${where} is missing: it must be ${expected}.`
      : `${where} must be ${expected}, but is ${received}.`;
  r.errors.push({ pointer, expected, received, message });
}

function pointerTo(path: Path): string {
  let pointer = '';
  for (const key of path) pointer += '/' + (typeof key === 'string' ? escaped(key) : key);
  return cut(pointer, 2000);
}

function escaped(key: string): string {
  const name = cut(key, 200);
  return /[~/]/.test(name) ? name.replaceAll('~', '~0').replaceAll('/', '~1') : name;
}

export function cut(text: string, length: number): string {
  return text.length > length ? text.slice(0, length) + '…' : text;
}

function describe(v: unknown): string {
  if (v === undefined) return 'nothing';
  if (v === null || typeof v === 'boolean') return String(v);
  if (typeof v === 'string') return 'the string ' + JSON.stringify(cut(v, 60));
  if (typeof v === 'number') return `the number ${v}`;
  if (typeof v !== 'object') return `a ${typeof v}`;
  try {
    return list(v) ? `an array of ${v.length}` : 'an object';
  } catch {
    return 'an object';
  }
}

/** The path grows only for a value with errors. */
export function at(r: Report, key: string | number, v: unknown, shape: Shape): void {
  if (r.left <= 0 || shape.check?.(v, r.context) === true) return;
  r.path.push(key);
  shape.explain(r, v);
  r.path.pop();
}

export function within(key: string, shape: Shape): Shape {
  return shaped((r, v) => at(r, key, (v as Properties)[key], shape));
}
