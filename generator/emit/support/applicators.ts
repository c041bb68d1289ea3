/** Shapes of less common keywords; see `shapes.ts`. */
import { list, record } from './check.js';
import type { Check, Context } from './check.js';
import { nothing } from './evaluated.js';
import type { Evaluated } from './evaluated.js';
import { at, fail, shaped, visit } from './report.js';
import type { Report, Shape } from './report.js';
import { either } from './shapes.js';

/** Exactly one of the checks has to accept the value. */
export function exactlyOne(checks: readonly Check[], ...shapes: readonly Shape[]): Shape {
  const any = either(...shapes);
  return shaped((r, v) => {
    const matching = checks.filter((check) => check(v, r.context)).length;
    if (matching === 0) visit(any, r, v);
    else if (matching > 1)
      fail(r, `valid by only one of ${checks.length} alternatives, not by ${matching}`, v);
  });
}

export function conditional(check: Check, then: Shape, otherwise: Shape): Shape {
  return shaped((r, v) => visit(check(v, r.context) ? then : otherwise, r, v));
}

/** For places where everything is valid, also nothing. */
export const fine: Shape = /*@__PURE__*/ shaped(() => undefined);

/** The first items by position, then the others. */
export function tuple(
  first: readonly Shape[],
  rest: Shape,
  least = 0,
  most: number = Infinity,
): Shape {
  return shaped((r, v) => {
    if (!list(v)) return fail(r, 'an array', v);
    if (v.length < least) fail(r, `at least ${least} long`, v);
    if (v.length > most) fail(r, `at most ${most} long`, v);
    for (let i = 0; i < v.length && r.left > 0; i++) at(r, i, v[i], first[i] ?? rest);
  });
}

/** The number of items that the check accepts. */
export function contains(check: Check, least: number, most: number = Infinity): Shape {
  return shaped((r, v) => {
    if (!list(v)) return;
    const count = v.filter((item) => check(item, r.context)).length;
    if (count < least) fail(r, `an array with at least ${least} matching items`, v);
    else if (count > most) fail(r, `an array with at most ${most} matching items`, v);
  });
}

/** What a check demands of a whole value, when it has the type that the demand is about. */
export function demand(expected: string, check: Check): Shape {
  return shaped((r, v) => fail(r, expected, v), check);
}

export type PatternShape = readonly [pattern: (key: string) => boolean, shape: Shape];

/** The rules for keys by pattern, for the keys themselves, and for keys that no pattern matches. */
export function keyed(
  patterns: readonly PatternShape[],
  known: readonly string[],
  rest: Shape | undefined,
  names: Check | undefined,
): Shape {
  const listed = new Set(known);
  return shaped((r, v) => {
    if (!record(v)) return;
    for (const key in v) {
      if (r.left <= 0) return;
      if (names && !names(key, r.context)) at(r, key, v[key], refusedName);
      let other = !listed.has(key);
      for (const [matches, shape] of patterns) {
        if (!matches(key)) continue;
        other = false;
        at(r, key, v[key], shape);
      }
      if (other && rest) at(r, key, v[key], rest);
    }
  });
}

const refusedName: Shape = /*@__PURE__*/ shaped((r, v) =>
  fail(r, 'absent, because its name is not allowed', v),
);

type Mark = (v: unknown, e: Evaluated, c: Context) => void;

/** The rules for what no other part of the schema describes. */
export function unevaluated(mark: Mark, properties?: Shape, items?: Shape): Shape {
  return shaped((r, v) => {
    const e = nothing();
    mark(v, e, r.context);
    if (e.all) return;
    if (list(v)) rest(r, v, (key) => key >= e.upTo && !e.items.has(key), items);
    else if (record(v) && properties) {
      for (const key in v) if (!e.keys.has(key)) at(r, key, v[key], properties);
    }
  });
}

function rest(
  r: Report,
  v: readonly unknown[],
  free: (index: number) => boolean,
  items: Shape | undefined,
): void {
  if (items) v.forEach((item, index) => free(index) && at(r, index, item, items));
}
