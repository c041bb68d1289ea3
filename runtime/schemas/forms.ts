import { isObject } from '../peer/wire/json.js';
import { contractOf, type Contract } from './contract.js';
import { SchemaFault } from './fault.js';
import { at, pointerPart } from './pointers.js';

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
