// Written by mcp-codegen: what the generated files beside this folder have in common. Do not edit.
/* eslint-disable */

/** Shapes, which write reports. Each shape describes the expected value at a place. */
import { list, record } from './check.js';
import type { Check, Properties } from './check.js';
import { at, cut, fail, nested, shaped, visit } from './report.js';
import type { Report, Shape } from './report.js';

export type Shapes = { readonly [key: string]: Shape };

export function leaf(expected: string, check: Check): Shape {
  return shaped((r, v) => fail(r, expected, v), check);
}

export const anything: Shape = /*@__PURE__*/ leaf('present', (v) => v !== undefined);

/** One of these literals. A miss weighs more, because literals usually identify the member of a union. */
export function one(...values: readonly unknown[]): Shape {
  const expected = oneOf(values);
  return shaped(
    (r, v) => fail(r, expected, v, 100),
    (v) => values.includes(v),
  );
}

/** One of many literals, where a hash is faster than comparing each. */
export function among(values: ReadonlySet<unknown>): Shape {
  const expected = oneOf([...values]);
  return shaped(
    (r, v) => fail(r, expected, v, 100),
    (v) => values.has(v),
  );
}

function oneOf(values: readonly unknown[]): string {
  const words = cut(values.map((value) => JSON.stringify(value)).join(', '), 2000);
  return values.length > 1 ? `one of ${words}` : words;
}

export function object(required: Shapes, optional: Shapes = {}, rest?: Shape): Shape {
  const members = [
    ...Object.entries(required).map(([key, shape]) => ({ key, shape, needed: true })),
    ...Object.entries(optional).map(([key, shape]) => ({ key, shape, needed: false })),
  ];
  return shaped((r, v) => {
    if (!record(v)) return fail(r, 'an object', v);
    for (const { key, shape, needed } of members) {
      const value = member(v, key);
      if (needed || value !== undefined) at(r, key, value, shape);
    }
    if (!rest) return;
    for (const key in v) {
      if (Object.hasOwn(required, key) || Object.hasOwn(optional, key)) continue;
      if (r.left <= 0) return;
      at(r, key, v[key], rest);
    }
  });
}

/** Reads own properties only, because every object inherits functions and `__proto__`. */
function member(v: Properties, key: string): unknown {
  const value = v[key];
  const suspect = typeof value === 'function' || key === '__proto__';
  return suspect && !Object.hasOwn(v, key) ? undefined : value;
}

export function each(item: Shape, least = 0, most: number = Infinity): Shape {
  return shaped((r, v) => {
    if (!list(v)) return fail(r, 'an array', v);
    if (v.length < least) fail(r, `at least ${least} long`, v);
    if (v.length > most) fail(r, `at most ${most} long`, v);
    for (let i = 0; i < v.length && r.left > 0; i++) at(r, i, v[i], item);
  });
}

/** A definition. Its shape is made at its first use, and reports only if its check refuses the value. */
export function shape(check: Check, make: () => Shape): Shape {
  let made: Shape | undefined;
  return shaped((r, v) => visit((made ??= make()), r, v), check);
}

/** A recursive definition, without a check at every level, which would take quadratic time. */
export function deep(make: () => Shape): Shape {
  let made: Shape | undefined;
  return shaped((r, v) => {
    const c = r.context;
    if (c.depth <= 0 || c.fuel <= 0) return fail(r, 'nested less deeply', v);
    c.depth--;
    c.fuel--;
    visit((made ??= make()), r, v);
    c.depth++;
  });
}

/** A value that may be absent. */
export function option(shape: Shape): Shape {
  return shaped((r, v) => {
    if (v !== undefined) visit(shape, r, v);
  });
}

export function both(...shapes: readonly Shape[]): Shape {
  return shaped((r, v) => {
    for (const shape of shapes) visit(shape, r, v);
  });
}

/** Reports on `present` if the value has the property, which the other one does not know. */
export function given(property: string, present: Shape, absent: Shape): Shape {
  return shaped((r, v) => {
    const has = record(v) && member(v, property) !== undefined;
    visit(has ? present : absent, r, v);
  });
}

/** Reports on the member with the smallest distance to the value. */
export function either(...shapes: readonly Shape[]): Shape {
  return shaped((r, v) => {
    const root = r.path.length;
    const tries: { readonly shape: Shape; readonly attempt: Report }[] = [];
    for (const shape of shapes) {
      const attempt = nested(r, root, true);
      visit(shape, attempt, v);
      if (attempt.weight === 0) return;
      tries.push({ shape, attempt });
      // Limits the work, because nested unions of a recursive definition double it at every level.
      if (attempt.weight < Infinity && r.trying) r.context.fuel -= 1000;
      if (r.context.fuel <= 0) return fail(r, 'simpler', v);
    }
    const closest = tries.reduce((a, b) => (b.attempt.weight < a.attempt.weight ? b : a));
    if (closest.attempt.weight === Infinity) {
      const expected = new Set(tries.map(({ attempt }) => attempt.expected));
      return fail(r, [...expected].join(' or '), v);
    }
    const found = r.trying ? closest.attempt : nested(r, root, false);
    if (!r.trying) visit(closest.shape, found, v);
    r.weight += found.weight;
    r.left = found.left;
    r.outside ||= found.outside;
  });
}

/** Objects with a discriminator. */
export function by(property: string, shapes: Shapes, absent?: Shape): Shape {
  return shaped((r, v) => {
    if (!record(v)) return fail(r, 'an object', v);
    const value = member(v, property);
    const known = typeof value === 'string' && Object.hasOwn(shapes, value);
    const shape = known ? shapes[value] : value === undefined ? absent : undefined;
    if (shape) visit(shape, r, v);
    else at(r, property, value, one(...Object.keys(shapes)));
  });
}
