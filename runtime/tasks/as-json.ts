/**
 * What a value of this type is after it was written as JSON and read again: a `Date` is a string, methods are absent. `never`
 * for what cannot be written.
 */
export type AsJson<T> = unknown extends T
  ? T
  : T extends string | number | boolean | null | undefined | void
    ? T
    : T extends { toJSON(...key: never): infer R }
      ? AsJson<R>
      : T extends bigint | symbol | AnyFunction
        ? never
        : T extends ReadonlyMap<unknown, unknown> | ReadonlySet<unknown>
          ? Record<never, never>
          : T extends readonly unknown[]
            ? { [K in keyof T]: T[K] extends LeftOut ? null : AsJson<T[K]> }
            : { [K in keyof T as Written<K, T[K]>]: AsJson<T[K]> };

type AnyFunction = (...args: never) => unknown;
type LeftOut = undefined | symbol | AnyFunction;
type Written<K, V> = K extends symbol ? never : V extends symbol | AnyFunction ? never : K;
