import type { Pieces } from './pieces.js';

/** Source of what finds out what is wrong with a value that a check has refused. */
export const REPORTING: Pieces = {
  Shape: `
/** Says what is wrong with a value, to the report. */
type Shape = (r: Report, v: unknown) => void;
`,
  Shapes: `
type Shapes = { readonly [key: string]: Shape };
`,
  Path: `
/** Keys, from the outermost in. */
type Path = readonly (string | number)[];
`,
  Report: `
interface Report {
  readonly context: Context;
  readonly errors: ValidationError[];
  /** How many more faults are looked for, also of those that are found twice. */
  left: number;
  /** Keys from the value to where the report is; before \`start\`, to the value itself. */
  readonly path: (string | number)[];
  readonly start: number;
  /** Whether a fault is anywhere but in the value's \`params\`. */
  outside: boolean;
  /** Whether a union member is being tried: then only this matters of it, not the errors. */
  readonly trying: boolean;
  /** What was expected first. */
  expected: string;
  /** Where the innermost union's value starts; -1 outside of unions. */
  readonly root: number;
  /** How far the value is from valid. */
  weight: number;
}
`,
  validation: `
function validation<T>(
  check: Check,
  shape: Shape,
  value: unknown,
  options: ValidationOptions | undefined,
): Validation<T> {
  return accepts(check, value, options)
    ? { ok: true, value: value as T }
    : { ok: false, errors: errorsOf(shape, value, options) };
}
`,
  errorsOf: `
function errorsOf(
  shape: Shape,
  value: unknown,
  options: ValidationOptions | undefined,
): ValidationError[] {
  return reportOn(shape, value, options, []).errors;
}
`,
  reportOn: `
/** Of at least one error, also for a value that changes while it is read. */
function reportOn(
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
    shape(r, value);
  } catch {
    fail(r, 'readable', value);
    r.path.length = path.length;
  }
  if (r.errors.length === 0) fail(r, 'the same whenever it is read', value);
  return r;
}
`,
  fail: `
/** The own properties of a union's member tell it apart: a fault deeper down weighs less. */
function fail(r: Report, expected: string, v: unknown, weight = v === undefined ? 10 : 1): void {
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
      ? \`\${where} is missing: it must be \${expected}.\`
      : \`\${where} must be \${expected}, but is \${received}.\`;
  r.errors.push({ pointer, expected, received, message });
}
`,
  pointerTo: `
function pointerTo(path: Path): string {
  let pointer = '';
  for (const key of path) pointer += '/' + (typeof key === 'string' ? escaped(key) : key);
  return cut(pointer, 2000);
}
`,
  escaped: `
function escaped(key: string): string {
  const name = cut(key, 200);
  const plain = !name.includes('~') && !name.includes('/');
  return plain ? name : name.replaceAll('~', '~0').replaceAll('/', '~1');
}
`,
  cut: `
function cut(text: string, length: number): string {
  return text.length > length ? text.slice(0, length) + '…' : text;
}
`,
  describe: `
function describe(v: unknown): string {
  if (v === undefined) return 'nothing';
  if (v === null || typeof v === 'boolean') return String(v);
  if (typeof v === 'string') return 'the string ' + JSON.stringify(cut(v, 60));
  if (typeof v === 'number') return \`the number \${v}\`;
  if (typeof v !== 'object') return \`a \${typeof v}\`;
  try {
    return list(v) ? \`an array of \${v.length}\` : 'an object';
  } catch {
    return 'an object';
  }
}
`,
  at: `
function at(r: Report, key: string | number, v: unknown, shape: Shape): void {
  if (r.left <= 0) return;
  r.path.push(key);
  shape(r, v);
  r.path.pop();
}
`,
  within: `
function within(key: string, shape: Shape): Shape {
  return (r, v) => at(r, key, (v as Properties)[key], shape);
}
`,
  anything: `
const anything: Shape = (r, v) => {
  if (v === undefined) fail(r, 'present', v);
};
`,
  leaf: `
function leaf(expected: string, check: Check): Shape {
  return (r, v) => {
    if (!check(v, r.context)) fail(r, expected, v);
  };
}
`,
  one: `
/** One of these; usually what tells the members of a union apart, so a miss weighs more. */
function one(...values: readonly unknown[]): Shape {
  const words = values.map((value) => JSON.stringify(value)).join(', ');
  const expected = values.length > 1 ? \`one of \${words}\` : words;
  return (r, v) => {
    if (!values.includes(v)) fail(r, expected, v, 100);
  };
}
`,
  object: `
function object(required: Shapes, optional: Shapes = {}, rest?: Shape): Shape {
  const members = [
    ...Object.entries(required).map(([key, shape]) => ({ key, shape, needed: true })),
    ...Object.entries(optional).map(([key, shape]) => ({ key, shape, needed: false })),
  ];
  return (r, v) => {
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
  };
}
`,
  member: `
/** What every object inherits is functions and \`__proto__\`: of those only an own one counts. */
function member(v: Properties, key: string): unknown {
  const value = v[key];
  const suspect = typeof value === 'function' || key === '__proto__';
  return suspect && !Object.hasOwn(v, key) ? undefined : value;
}
`,
  each: `
function each(item: Shape, least = 0, most = Infinity): Shape {
  return (r, v) => {
    if (!list(v)) return fail(r, 'an array', v);
    if (v.length < least) fail(r, \`at least \${least} long\`, v);
    if (v.length > most) fail(r, \`at most \${most} long\`, v);
    for (let i = 0; i < v.length && r.left > 0; i++) at(r, i, v[i], item);
  };
}
`,
  shape: `
/** A definition: made when first needed, looked into only where its check refuses the value. */
function shape(check: Check, make: () => Shape): Shape {
  let made: Shape | undefined;
  return (r, v) => {
    if (!check(v, r.context)) (made ??= make())(r, v);
  };
}
`,
  deep: `
/** A definition that may hold itself: checking at every level would take quadratic time. */
function deep(make: () => Shape): Shape {
  let made: Shape | undefined;
  return (r, v) => {
    const c = r.context;
    if (c.depth <= 0 || c.fuel <= 0) return fail(r, 'nested less deeply', v);
    c.depth--;
    c.fuel--;
    (made ??= make())(r, v);
    c.depth++;
  };
}
`,
  both: `
function both(...shapes: readonly Shape[]): Shape {
  return (r, v) => {
    for (const shape of shapes) shape(r, v);
  };
}
`,
  either: `
/** Reports on the member that the value comes closest to. */
function either(...shapes: readonly Shape[]): Shape {
  return (r, v) => {
    const root = r.path.length;
    const tries: { readonly shape: Shape; readonly attempt: Report }[] = [];
    for (const shape of shapes) {
      const attempt: Report = { ...r, trying: true, expected: '', root, weight: 0 };
      shape(attempt, v);
      if (attempt.weight === 0) return;
      tries.push({ shape, attempt });
      // Unions in unions, where a definition holds itself: the work doubles at every level.
      if (attempt.weight < Infinity && r.trying) r.context.fuel -= 1000;
      if (r.context.fuel <= 0) return fail(r, 'simpler', v);
    }
    const closest = tries.reduce((a, b) => (b.attempt.weight < a.attempt.weight ? b : a));
    if (closest.attempt.weight === Infinity) {
      const expected = new Set(tries.map(({ attempt }) => attempt.expected));
      return fail(r, [...expected].join(' or '), v);
    }
    const found = r.trying ? closest.attempt : { ...r, root, weight: 0 };
    if (!r.trying) closest.shape(found, v);
    r.weight += found.weight;
    r.left = found.left;
    r.outside ||= found.outside;
  };
}
`,
  by: `
/** Objects that one property tells apart. */
function by(property: string, shapes: Shapes, absent?: Shape): Shape {
  return (r, v) => {
    if (!record(v)) return fail(r, 'an object', v);
    const value = member(v, property);
    const known = typeof value === 'string' && Object.hasOwn(shapes, value);
    const shape = known ? shapes[value] : value === undefined ? absent : undefined;
    if (shape) shape(r, v);
    else at(r, property, value, one(...Object.keys(shapes)));
  };
}
`,
};
