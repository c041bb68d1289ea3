import { isObject } from '../peer/wire/json.js';
import { contractOf, type Contract } from './contract.js';
import { SchemaFault } from './fault.js';
import { at, pointerPart } from './pointers.js';
import type { JsonObject } from '../tasks/index.js';
import type { StandardSchema } from './standard.js';

type Schema = Record<string, unknown>;

/** A schema of a library as a form. */
export interface Form {
  /** What the client gets: `requestedSchema`. */
  readonly requestedSchema: Schema;
  /** The check of the form's content, which also checks what forms cannot say. */
  readonly contract: Contract;
}

/** Forms by their schemas, because a tool asks with the same schema again and again. */
const known = new WeakMap<object, Form>();

/** @throws {SchemaFault} for a schema that no form can show. */
export function formOf(schema: object): Form {
  const before = known.get(schema);
  if (before !== undefined) return before;
  const contract = contractOf(schema, 'input');
  const form = { requestedSchema: requestedBy(contract.jsonSchema), contract };
  known.set(schema, form);
  return form;
}

function requestedBy(root: Schema): Schema {
  const { type, properties, required } = root;
  if (type !== 'object' || !isObject(properties)) {
    throw new SchemaFault('', 'a form is an object with fields', 'use z.object({ … })');
  }
  const fields = Object.entries(properties).map(([name, field]) => [
    name,
    fieldOf(resolved(field, root), `/properties${pointerPart(name)}`),
  ]);
  return {
    type: 'object',
    properties: Object.fromEntries(fields) as Schema,
    ...(required !== undefined && { required }),
  };
}

/** A field that several names share is a reference. */
function resolved(field: unknown, root: Schema): unknown {
  const ref = isObject(field) ? field['$ref'] : undefined;
  return typeof ref === 'string' && ref.startsWith('#/') ? at(root, ref.slice(1)) : field;
}

/** Keywords of fields that clients understand. Others are checked when the answer arrives. */
const ABOUT = ['title', 'description', 'default'];
const KEYWORDS: Readonly<Record<string, readonly string[]>> = {
  string: ['minLength', 'maxLength'],
  number: ['minimum', 'maximum'],
  integer: ['minimum', 'maximum'],
  boolean: [],
  array: ['minItems', 'maxItems'],
};
const FORMATS: readonly unknown[] = ['date', 'date-time', 'email', 'uri'];

function fieldOf(field: unknown, place: string): Schema {
  if (!isObject(field)) throw notAField(place);
  const choices = choicesOf(field);
  if (choices !== undefined) return { type: 'string', ...picked(field, ABOUT), ...choices };
  const { type, format, items } = field;
  const keywords = typeof type === 'string' ? KEYWORDS[type] : undefined;
  if (keywords === undefined) throw notAField(place);
  const shown = { type, ...picked(field, [...ABOUT, ...keywords]) };
  if (type !== 'array') return FORMATS.includes(format) ? { ...shown, format } : shown;
  const ofItems = isObject(items) ? choicesOf(items) : undefined;
  if (ofItems === undefined) throw notAField(place);
  const { oneOf } = ofItems;
  // For several choices the protocol writes `anyOf`, and for one choice `oneOf`.
  return { ...shown, items: oneOf ? { anyOf: oneOf } : { type: 'string', ...ofItems } };
}

function notAField(place: string): SchemaFault {
  return new SchemaFault(
    place,
    'a form cannot show it',
    'use a text, a number, a flag, a choice of texts (z.enum), or a list of choices',
  );
}

function picked(field: Schema, keywords: readonly string[]): Schema {
  return Object.fromEntries(Object.entries(field).filter(([name]) => keywords.includes(name)));
}

/** A choice of texts: with titles, if each has one. */
function choicesOf({ enum: values, const: only, anyOf, oneOf }: Schema): Schema | undefined {
  if (isTexts(values)) return { enum: values };
  if (typeof only === 'string') return { enum: [only] };
  const list: unknown = oneOf ?? anyOf;
  if (!Array.isArray(list) || list.length === 0) return undefined;
  const options = list.map((each: unknown) => (isObject(each) ? each : {}));
  const texts = options.map((option) => option['const']);
  if (!isTexts(texts)) return undefined;
  const isTitled = options.every(({ title }) => typeof title === 'string');
  if (!isTitled) return { enum: texts };
  return { oneOf: options.map(({ const: value, title }) => ({ const: value, title })) };
}

function isTexts(values: unknown): values is string[] {
  return Array.isArray(values) && values.every((value) => typeof value === 'string');
}

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
