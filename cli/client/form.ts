import type {
  ElicitRequestFormParams,
  PrimitiveSchemaDefinition,
} from '../../generated/2025-11-25/index.js';
import { line } from './text.js';

export type FieldValue = string | number | boolean | string[];

/** One field of a form, as it is asked for. */
export type Field = Common &
  (
    | {
        readonly kind: 'text';
        readonly initial: string;
        /** What the user has written before. */
        readonly written?: string;
        /** The JSON type of its value. */
        readonly takes: string;
      }
    | {
        readonly kind: 'choice';
        readonly choices: readonly Choice[];
        readonly initial?: FieldValue;
      }
    | {
        readonly kind: 'choices';
        readonly choices: readonly Choice[];
        readonly initial: readonly string[];
      }
  );

interface Common {
  readonly name: string;
  /** A stranger's text. */
  readonly title: string;
  /** A stranger's text. */
  readonly description: string;
  readonly required: boolean;
  /** What a typed or chosen value means, or what is wrong with it. */
  readonly read: (
    value: FieldValue,
  ) => { readonly value: FieldValue } | { readonly problem: string };
}

export interface Choice {
  readonly value: string | boolean;
  /** A stranger's text. */
  readonly label: string;
}

type Form = ElicitRequestFormParams['requestedSchema'];

/** The fields of a form, in its order. */
export function fieldsOf({ properties, required = [] }: Form): Field[] {
  const fields = Object.entries(properties);
  if (fields.length > MOST_FIELDS) {
    throw new RangeError(`The form has more than ${String(MOST_FIELDS)} fields.`);
  }
  const needed = new Set(required);
  return fields.map(([name, schema]) => fieldOf(name, schema, needed.has(name)));
}

/** How the command line answers a form: the option, with its fields and what they take. */
export function answerHelp(form: Form): string {
  const fields = fieldsOf(form).map((field) => {
    const takes = field.kind === 'text' ? field.takes : namesOf(field.choices);
    const more = [takes, ...(field.required ? ['required'] : [])].join(', ');
    return `  ${line(field.name, 80)}  ${more}\n`;
  });
  const example = JSON.stringify(Object.fromEntries(fieldsOf(form).map(({ name }) => [name, '…'])));
  return `Answer it with --answer '${line(example, 500)}'. Its fields:\n${fields.join('')}`.trimEnd();
}

/** Forms that are not filled in. */
const MOST_FIELDS = 200;
const MOST_CHOICES = 2_000;

function fieldOf(name: string, schema: PrimitiveSchemaDefinition, required: boolean): Field {
  const common = {
    name,
    title: schema.title ?? name,
    description: schema.description ?? '',
    required,
  };
  if (schema.type === 'array') {
    const choices = choicesOf(schema.items);
    const read = many(choices, schema.minItems ?? 0, schema.maxItems ?? Infinity);
    return { ...common, kind: 'choices', choices, initial: schema.default ?? [], read };
  }
  const initial = schema.default === undefined ? {} : { initial: schema.default };
  if (schema.type === 'boolean') {
    const choices = [
      { value: true, label: 'Yes' },
      { value: false, label: 'No' },
    ];
    return { ...common, kind: 'choice', choices, ...initial, read: oneOf(choices) };
  }
  if ('enum' in schema || 'oneOf' in schema) {
    const choices = choicesOf(schema);
    return { ...common, kind: 'choice', choices, ...initial, read: oneOf(choices) };
  }
  return {
    ...common,
    kind: 'text',
    takes: schema.type,
    initial: schema.default === undefined ? '' : String(schema.default),
    read: schema.type === 'string' ? textReader(schema) : numberReader(schema),
  };
}

type Choosable = {
  readonly enum?: readonly string[];
  readonly enumNames?: readonly string[];
  readonly oneOf?: readonly { readonly const: string; readonly title: string }[];
  readonly anyOf?: readonly { readonly const: string; readonly title: string }[];
};

function choicesOf({
  enum: values = [],
  enumNames = [],
  oneOf: titled,
  anyOf,
}: Choosable): Choice[] {
  const named = titled ?? anyOf;
  if ((named ?? values).length > MOST_CHOICES) {
    throw new RangeError(`The form has a field with more than ${String(MOST_CHOICES)} choices.`);
  }
  return (
    named?.map(({ const: value, title }) => ({ value, label: title })) ??
    values.map((value, index) => ({ value, label: enumNames[index] ?? value }))
  );
}

/** The first choices by name, for an error message. */
function namesOf(choices: readonly Choice[]): string {
  const names = choices.slice(0, 20).map(({ label }) => line(label, 40));
  return `${names.join(', ')}${choices.length > names.length ? ', …' : ''}`;
}

function oneOf(choices: readonly Choice[]): Field['read'] {
  return (value) =>
    choices.some((choice) => choice.value === value)
      ? { value }
      : { problem: `Choose one of ${namesOf(choices)}.` };
}

function many(choices: readonly Choice[], least: number, most: number): Field['read'] {
  const known = new Set(choices.map(({ value }) => value));
  return (value) => {
    if (!Array.isArray(value) || !value.every((each) => known.has(each))) {
      return { problem: `Choose among ${namesOf(choices)}.` };
    }
    if (value.length < least) return { problem: `Choose at least ${String(least)}.` };
    if (value.length > most) return { problem: `Choose at most ${String(most)}.` };
    return { value };
  };
}

type TextSchema = Extract<PrimitiveSchemaDefinition, { format?: unknown }>;

const FORMATS = new Map<string | undefined, readonly [RegExp, string]>([
  // No part can match what the next one begins with: servers may suggest the text that is checked.
  ['email', [/^[^\s@]+@[^\s@.]+(?:\.[^\s@.]+)+$/, 'This is no e-mail address.']],
  ['uri', [/^[a-z][a-z0-9+.-]*:\S+$/i, 'This is no URI.']],
  ['date', [/^\d{4}-(?:0[1-9]|1[0-2])-(?:0[1-9]|[12]\d|3[01])$/, 'A date is written 2026-01-31.']],
  [
    'date-time',
    [
      /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?(?:Z|[+-]\d\d:\d\d)$/i,
      'A time is written 2026-01-31T12:00:00Z.',
    ],
  ],
]);

function textReader({ minLength = 0, maxLength = Infinity, format }: TextSchema): Field['read'] {
  return (value) => {
    if (typeof value !== 'string') return { problem: 'This is a text.' };
    const length = [...value].length;
    if (length < minLength) return { problem: `At least ${String(minLength)} characters.` };
    if (length > maxLength) return { problem: `At most ${String(maxLength)} characters.` };
    // A server may ask for a format that is not known here: it checks the answer itself.
    const [pattern, problem] = FORMATS.get(format) ?? [/^/, ''];
    return pattern.test(value) ? { value } : { problem };
  };
}

type NumberSchema = Extract<PrimitiveSchemaDefinition, { type: 'integer' | 'number' }>;

function numberReader({ type, minimum, maximum }: NumberSchema): Field['read'] {
  return (written) => {
    const value = typeof written === 'string' && written.trim() !== '' ? Number(written) : written;
    if (typeof value !== 'number' || !Number.isFinite(value)) {
      return { problem: 'This is no number.' };
    }
    if (type === 'integer' && !Number.isInteger(value)) return { problem: 'A whole number.' };
    if (minimum !== undefined && value < minimum)
      return { problem: `At least ${String(minimum)}.` };
    if (maximum !== undefined && value > maximum) return { problem: `At most ${String(maximum)}.` };
    return { value };
  };
}

const misfit = (problem: string): RangeError =>
  new RangeError(`--answer does not fit the form: ${problem}`);

/** A name with a typing mistake would leave its field without an answer. */
function assertFields(names: readonly string[], fields: readonly Field[]): void {
  const known = fields.map(({ name }) => name);
  const unknown = names.find((name) => !known.includes(name));
  if (unknown === undefined) return;
  const all = known.map((name) => JSON.stringify(name)).join(', ') || 'none';
  throw misfit(`it has no field ${JSON.stringify(unknown)}. Fields: ${all}.`);
}

/** What was given for a form in advance, checked. @throws {RangeError} that says what does not fit. */
export function checkAnswers(
  form: Form,
  given: Readonly<Record<string, unknown>>,
): Record<string, FieldValue> {
  const content = new Map<string, FieldValue>();
  const fields = fieldsOf(form);
  assertFields(Object.keys(given), fields);
  for (const field of fields) {
    // A field may be called `constructor`: every object inherits one.
    const written = Object.hasOwn(given, field.name) ? given[field.name] : undefined;
    if (written === undefined) {
      if (field.required) throw misfit(`it lacks ${JSON.stringify(field.name)}.`);
      continue;
    }
    const read = field.read(written as FieldValue);
    if ('problem' in read) throw misfit(`${JSON.stringify(field.name)}: ${read.problem}`);
    content.set(field.name, read.value);
  }
  return Object.fromEntries(content);
}
