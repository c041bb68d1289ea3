/** Functions that make the schemas of `zod.ts`. `z.core` is for types only: a reference to it at run time keeps all of
 * Zod in a bundle, its locales included. */
import * as z from 'zod';

/** The named properties of an object type, in Zod's form. */
type Shape<T> = {
  [K in keyof T as Known<K>]-?: object extends Pick<T, K>
    ? z.ZodExactOptional<Field<Required<T>[K]>>
    : Field<T[K]>;
};

/** Removes index signatures. */
type Known<K> = string extends K ? never : number extends K ? never : K;

/** Plain strings, numbers and booleans keep the methods of their schema. */
type Field<T> = unknown extends T
  ? z.ZodUnknown
  : [string, T] extends [T, string]
    ? z.ZodString
    : [number, T] extends [T, number]
      ? z.ZodNumber
      : [boolean, T] extends [T, boolean]
        ? z.ZodBoolean
        : z.ZodType<T>;

/** An object schema that accepts unknown keys. `extend`, `pick`, `shape` and Zod's other methods work. */
export type LooseObject<T> = z.ZodObject<Shape<T>, z.core.$loose>;

/** An object schema that refuses unknown keys. */
export type StrictObject<T> = z.ZodObject<Shape<T>, z.core.$strict>;

/** An object that keeps every key it is given. */
export function loose<S extends z.core.$ZodLooseShape>(shape: S): z.ZodObject<S, z.core.$loose> {
  return keepProto(z.looseObject(shape));
}

/** An object whose keys outside the shape have values that `value` accepts. */
export function record<V extends z.core.SomeType, S extends z.core.$ZodLooseShape>(
  value: V,
  shape: S,
): z.ZodObject<S, z.core.$catchall<V>> {
  return keepProto(z.object(shape).catchall(value), value);
}

/**
 * JSON may contain a key named `__proto__`, which Zod drops silently. Here it is an ordinary key: it is
 * checked if the schema constrains it, and kept as an own property, which sets no prototype.
 */
function keepProto<T extends z.ZodType>(schema: T, value?: z.core.SomeType): T {
  // eslint-disable-next-line @typescript-eslint/unbound-method -- it is a closure, not a method
  const parse = schema._zod.parse;
  schema._zod.parse = schema._zod.run = (payload, context) => {
    const input: unknown = payload.value;
    const parsed = parse(payload, context) as z.core.ParsePayload;
    if (!isRecord(input) || !Object.hasOwn(input, '__proto__')) return parsed;
    const own = { value: input['__proto__'], issues: [] };
    const checked = (value?._zod.run(own, context) ?? own) as z.core.ParsePayload;
    for (const issue of checked.issues) {
      parsed.issues.push({ ...issue, path: ['__proto__', ...(issue.path ?? [])] });
    }
    return Object.assign(parsed, { value: withProto(parsed.value, checked.value) });
  };
  return schema;
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
export function checked<T>(
  validate: (value: unknown, options: { readonly formats: true }) => Verdict,
): z.ZodType<T> {
  return z.custom<T>().check(({ value, issues }) => {
    const verdict = validate(value, { formats: true });
    for (const { pointer, message } of verdict.ok ? [] : verdict.errors) {
      const path = keysOf(pointer, value);
      issues.push({ code: 'custom', path, message: `Invalid input: ${message}`, input: value });
    }
  });
}

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
