import type { JsonObject } from '../tasks/index.js';
import type { StandardSchema } from './standard.js';
import type { SchemaOutput } from './types.js';

/** The schema of a form, as a client gets it: texts, numbers, flags and choices by their names. */
export interface FormSchema {
  readonly type: 'object';
  readonly properties: Readonly<Record<string, object>>;
  readonly required?: readonly string[];
}

/** What asks for a form: the schema as a client gets it, or one of a library. */
export type AnyFormSchema = FormSchema | StandardSchema<object, unknown>;

/** The values of an accepted form. */
export type FormContent<S> = S extends { readonly '~standard': unknown }
  ? SchemaOutput<S>
  : S extends { readonly properties: infer Fields }
    ? FieldValues<Fields, RequiredNames<S>> extends infer Values
      ? // One object in place of an intersection, so that editors show its members.
        { [Name in keyof Values]: Values[Name] }
      : never
    : JsonObject;

type FieldValues<Fields, Needed> = {
  readonly [Name in keyof Fields & Needed]: FieldValue<Fields[Name]>;
} & {
  readonly [Name in Exclude<keyof Fields, Needed>]?: FieldValue<Fields[Name]>;
};

type RequiredNames<S> = S extends { readonly required: readonly (infer Name)[] } ? Name : never;

type FieldValue<F> = F extends { readonly type: 'array'; readonly items: infer Items }
  ? readonly Choice<Items>[]
  : Choice<F>;

type Choice<F> = F extends { readonly enum: readonly (infer Value)[] }
  ? Value
  : F extends
        | { readonly oneOf: readonly { readonly const: infer Value }[] }
        | { readonly anyOf: readonly { readonly const: infer Value }[] }
    ? Value
    : F extends { readonly type: infer Type }
      ? Primitive<Type>
      : unknown;

type Primitive<Type> = Type extends 'string'
  ? string
  : Type extends 'number' | 'integer'
    ? number
    : Type extends 'boolean'
      ? boolean
      : unknown;
