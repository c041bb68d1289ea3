// Written by mcp-codegen: what the generated files beside this folder have in common. Do not edit.
/* eslint-disable */

/** Functions that make the schemas of `zod.ts`. `z.core` is for types only: a reference to it at run time keeps all of
 * Zod in a bundle, its locales included. */
import * as z from 'zod';

/** An object schema that accepts unknown keys. */
export type LooseObject<Shape extends z.core.$ZodLooseShape> = z.ZodObject<Shape, z.core.$loose>;

/** An object schema that refuses unknown keys. */
export type StrictObject<Shape extends z.core.$ZodLooseShape> = z.ZodObject<Shape, z.core.$strict>;

/** An object schema that has a schema for the values of unknown keys. */
export type RecordObject<
  Values extends z.core.SomeType,
  Shape extends z.core.$ZodLooseShape,
> = z.ZodObject<Shape, z.core.$catchall<Values>>;

/**
 * A schema whose values have a type that it does not say by itself, such as that of a validator beside it. `shape`, `extend`,
 * `options` and others are its own.
 */
export type Typed<Schema, T> = Omit<Schema, Exclude<keyof z.ZodType, 'def'>> &
  z.ZodType<T, T, TypedInternals<Schema, T>>;

/** `z.discriminatedUnion` asks for `propValues` of its members. */
type TypedInternals<Schema, T> = z.core.$ZodTypeInternals<T, T> &
  ('shape' extends keyof Schema ? { propValues: z.core.util.PropValues } : unknown);

/** An object schema without a property, where the type of an object with any properties is `object`. */
export type AnyObject = Typed<LooseObject<Record<never, never>>, object>;

/** A schema that refers to one that refers back to it. The compiler finds the type `T` of its values without following it. */
export interface Lazy<T, Target extends { readonly schema: unknown }> extends z.ZodType<
  T,
  T,
  LazyInternals<T, Target>
> {
  unwrap(): Target['schema'];
}

interface LazyInternals<T, Target extends { readonly schema: unknown }> extends z.core
  .$ZodTypeInternals<T, T> {
  innerType: Target['schema'];
}

/**
 * A schema with the type that it is declared to have, as the other functions have it: to infer the type of each schema and
 * compare it takes the compiler a hundredth of a second.
 */
export function made<T>(schema: z.core.SomeType): T {
  return schema as T;
}

/** An object that keeps every key it is given. */
export function loose<T = z.ZodObject>(shape: z.core.$ZodLooseShape): T {
  return withParse(z.looseObject(shape), keepProto()) as T;
}

/** An object whose keys outside the shape have values that `value` accepts. */
export function record<T = z.ZodObject>(value: z.core.SomeType, shape: z.core.$ZodLooseShape): T {
  return withParse(z.object(shape).catchall(value), keepProto(value)) as T;
}

/** An object without keys outside the shape. Each of them is an issue of its own, in its own place. */
export function strict<T = z.ZodObject>(shape: z.core.$ZodLooseShape): T {
  return withIssues(z.strictObject(shape), (issue) =>
    issue.code === 'unrecognized_keys'
      ? issue.keys.map((key) => ({ ...issue, keys: [key], path: [key] }))
      : undefined,
  ) as T;
}

/** A union that says what is wrong with the closest of its members, if one is close. */
export function union<T = z.ZodUnion>(members: readonly z.core.SomeType[]): T {
  return withIssues(z.union(members), (issue, input) =>
    issue.code === 'invalid_union' ? closest(issue.errors, input) : undefined,
  ) as T;
}

/** The compiler neither looks for the literals in the types of the members, which may say less, nor compares them all. */
export function discriminated<T = z.ZodDiscriminatedUnion>(
  property: string,
  members: readonly z.core.SomeType[],
): T {
  return z.discriminatedUnion(property, members as never) as T;
}

/** Both schemas accept the value, which stays as it is: Zod merges what they return, and drops keys named `__proto__`. */
export function both<T = z.ZodIntersection>(left: z.core.SomeType, right: z.core.SomeType): T {
  return withParse(z.intersection(left, right), (parse) => (payload, context) => {
    const { value } = payload;
    return Object.assign(parse(payload, context), { value });
  }) as T;
}

/** Like Zod's `min`, for arrays alone: that of Zod throws for some objects with a key named `length`. */
export function atLeast(items: number): z.core.$ZodCheck<readonly unknown[]> {
  return ofArrays(z.minLength(items));
}

/** Like Zod's `max`, for arrays alone. */
export function atMost(items: number): z.core.$ZodCheck<readonly unknown[]> {
  return ofArrays(z.maxLength(items));
}

function ofArrays<T>(check: z.core.$ZodCheck<T>): z.core.$ZodCheck<T> {
  check._zod.def.when = ({ value }) => Array.isArray(value);
  return check;
}

/** Replaces issues of a value as a whole, where `replace` has others. */
function withIssues<T extends z.ZodType>(
  schema: T,
  replace: (issue: z.core.$ZodRawIssue, input: unknown) => z.core.$ZodRawIssue[] | undefined,
): T {
  return withParse(schema, (parse) => (payload, context) => {
    const input = payload.value;
    const parsed = parse(payload, context);
    parsed.issues = parsed.issues.flatMap(
      (issue) => (issue.path?.length ? undefined : replace(issue, input)) ?? [issue],
    );
    return parsed;
  });
}

/** The issues of the member with the smallest distance to the value; `undefined` if every member has one of the value itself. */
function closest(
  members: readonly (readonly z.core.$ZodIssue[])[],
  value: unknown,
): z.core.$ZodRawIssue[] | undefined {
  let least = Infinity;
  let found: readonly z.core.$ZodIssue[] | undefined;
  for (const issues of members) {
    const distance = issues.reduce((sum, issue) => sum + weightOf(issue, value), 0);
    if (distance < least) [least, found] = [distance, issues];
  }
  return found?.map((issue) => ({ ...issue }) as z.core.$ZodRawIssue);
}

/** As the validators weigh errors: literals and required keys tell members apart. */
function weightOf({ code, path }: z.core.$ZodIssue, value: unknown): number {
  const [key] = path;
  if (key === undefined) return Infinity;
  if (path.length > 1) return 1;
  if (code === 'invalid_value') return 100;
  return isRecord(value) && value[key as string] === undefined ? 10 : 1;
}

type Parse = (
  payload: z.core.ParsePayload,
  context: z.core.ParseContextInternal,
) => z.core.ParsePayload;

/**
 * Changes what a schema does, and what its copies do that have the same content: Zod copies a schema to add a check or a
 * description.
 */
function withParse<T extends z.ZodType>(schema: T, change: (parse: Parse) => Parse): T {
  const { _zod: internals } = schema;
  // eslint-disable-next-line @typescript-eslint/unbound-method -- it is a closure, not a method
  let inner = internals.parse as Parse;
  const parse = change((payload, context) => inner(payload, context));
  // Zod replaces the function at the first parse of a container that does not contain itself.
  Object.defineProperty(internals, 'parse', {
    get: () => parse,
    set: (next: Parse) => (inner = next),
  });
  const { constr } = internals;
  const { checks, shape, catchall } = internals.def as Partial<z.core.$ZodObjectDef>;
  // With checks, it is `run` that calls `parse`.
  if (!checks?.length) internals.run = parse;
  internals.constr = function copy(def: Partial<z.core.$ZodObjectDef>): z.ZodType {
    const made = new constr(def) as z.ZodType;
    const isSame = def.catchall === catchall && haveSameEntries(def.shape, shape);
    return isSame ? withParse(made, change) : made;
  } as never;
  return schema;
}

function haveSameEntries(one: object = {}, other: object = {}): boolean {
  const [entries, others] = [Object.entries(one), new Map<string, unknown>(Object.entries(other))];
  return (
    entries.length === others.size && entries.every(([key, value]) => others.get(key) === value)
  );
}

/**
 * JSON may contain a key named `__proto__`, which Zod drops silently. Here it is an ordinary key: it is
 * checked if the schema constrains it, and kept as an own property, which sets no prototype.
 */
function keepProto(value?: z.core.SomeType): (parse: Parse) => Parse {
  return (parse) => (payload, context) => {
    const input = payload.value;
    const parsed = parse(payload, context);
    if (!isRecord(input) || !Object.hasOwn(input, '__proto__')) return parsed;
    const own = { value: input['__proto__'], issues: [] };
    const checked = (value?._zod.run(own, context) ?? own) as z.core.ParsePayload;
    for (const issue of checked.issues) {
      parsed.issues.push({ ...issue, path: ['__proto__', ...(issue.path ?? [])] });
    }
    return Object.assign(parsed, { value: withProto(parsed.value, checked.value) });
  };
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null;
}

function withProto(target: unknown, value: unknown): unknown {
  if (!isRecord(target)) return target;
  return Object.defineProperty(target, '__proto__', {
    value,
    configurable: true,
    enumerable: true,
    writable: true,
  });
}

/** A number without a fraction, however large. */
export function integer(): z.ZodNumber {
  return z.number().refine((value) => Number.isInteger(value), 'Invalid input: expected integer');
}

/** A schema of what Zod cannot say: a validator decides, and says what is wrong and where. */
export function checked<T>(validate: Validate): z.ZodCustom<T, T> {
  return guarded(z.custom<T>(), validate);
}

/**
 * What Zod can say of a value, and a validator that says the rest. The schema accepts all that the validator accepts. What
 * is made of an object's shape, such as a choice of its keys, is made without the validator.
 */
export function guarded<T = z.ZodType>(schema: z.ZodType, validate: Validate): T {
  const checking = schema.check(({ value, issues }) => {
    const verdict = validate(value, { formats: true });
    for (const { pointer, message } of verdict.ok ? [] : verdict.errors) {
      const path = keysOf(pointer, value);
      issues.push({ code: 'custom', path, message: `Invalid input: ${message}`, input: value });
    }
  });
  if (schema instanceof z.ZodObject) {
    for (const method of OF_SHAPES)
      Object.assign(checking, { [method]: schema[method].bind(schema) });
  }
  return checking as T;
}

/** Zod refuses most of them to objects with checks. */
const OF_SHAPES = [
  ...(['catchall', 'extend', 'loose', 'omit', 'partial', 'passthrough'] as const),
  ...(['pick', 'required', 'safeExtend', 'strict', 'strip'] as const),
];

/** A validator that says only whether a value is valid, for definitions whose validators have the name of another function. */
export function verdictBy(
  is: (value: unknown, options: { readonly formats: true }) => boolean,
): Validate {
  return (value, options) =>
    is(value, options)
      ? { ok: true }
      : { ok: false, errors: [{ pointer: '', message: 'invalid' }] };
}

type Validate = (value: unknown, options: { readonly formats: true }) => Verdict;

/** What validators return, as far as it is needed here. */
type Verdict =
  | { readonly ok: true }
  | {
      readonly ok: false;
      readonly errors: readonly { readonly pointer: string; readonly message: string }[];
    };

/** The keys of a JSON pointer, as Zod writes them: the indices of arrays are numbers. */
function keysOf(pointer: string, value: unknown): (string | number)[] {
  let inner = value;
  return pointer
    .split('/')
    .slice(1)
    .map((part) => {
      const key = part.replaceAll('~1', '/').replaceAll('~0', '~');
      const isIndex = Array.isArray(inner);
      inner = isRecord(inner) ? inner[key] : undefined;
      return isIndex ? Number(key) : key;
    });
}
