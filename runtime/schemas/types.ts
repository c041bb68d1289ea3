import type { JsonObject } from '../tasks/index.js';
import type { StandardSchema } from './standard.js';

/** A schema of any JSON value: a Standard Schema that has JSON Schema (Zod, ArkType, Valibot), or plain JSON Schema. */
export type ValueSchema = StandardSchema | JsonSchema<unknown>;

/** A schema of objects, such as the arguments of a tool. */
export type ObjectSchema = StandardSchema<object, unknown> | JsonSchema<unknown>;

declare const VALUE: unique symbol;

/** Plain JSON Schema for values of the type `T`, which only the compiler reads. */
export type JsonSchema<T = JsonObject> = object & {
  readonly '~standard'?: undefined;
  readonly [VALUE]?: T;
};

/**
 * JSON Schema with the type of its values. The compiler does not compare the two.
 *
 * @example jsonSchema<{ city: string }>({ type: 'object', properties: { city: { type: 'string' } }, required: ['city'] })
 */
export function jsonSchema<T = JsonObject>(schema: object): JsonSchema<T> {
  return schema;
}

/** The values that a schema takes. `Plain` is the type for JSON Schema without one. */
export type SchemaInput<S, Plain = JsonObject> = TypesOf<S, Plain>['input'];

/** The values that a schema returns, after its defaults and conversions. */
export type SchemaOutput<S, Plain = JsonObject> = TypesOf<S, Plain>['output'];

interface Types<Input, Output> {
  readonly input: Input;
  readonly output: Output;
}

type TypesOf<S, Plain> = S extends { readonly '~standard': { readonly types?: infer T } }
  ? NonNullable<T> extends Types<infer Input, infer Output>
    ? Types<Input, Output>
    : Types<unknown, unknown>
  : typeof VALUE extends keyof S
    ? Types<Exclude<S[typeof VALUE], undefined>, Exclude<S[typeof VALUE], undefined>>
    : Types<Plain, Plain>;
