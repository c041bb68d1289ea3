import type { JsonValue } from '../../json-schema/index.js';
import { isSchema } from './places.js';
import type { Place, Schema } from './places.js';

/**
 * What a change does to the values of a schema:
 *
 * - `narrower`, `wider`, `other` (both), `same`: to those that programs send which were written for it.
 * - `ignored`: a property may be sent still, and means nothing.
 */
export type Effect = 'narrower' | 'wider' | 'other' | 'same' | 'ignored' | 'ignored-wider';

export interface Mutation {
  readonly name: string;
  /** Changes the schema, and says what that does; undefined when it does not fit there. */
  readonly apply: (
    place: Place,
    pick: <T>(all: readonly T[]) => T | undefined,
  ) => Effect | undefined;
}

type Pick = <T>(all: readonly T[]) => T | undefined;
type Rule = Place['schema'];

const has = (schema: Rule, ...keys: readonly string[]): boolean =>
  keys.some((key) => key in schema);
const COMBINED = ['anyOf', 'oneOf', 'allOf', '$ref', 'const'];
const isPlain = (schema: Rule, type: string): boolean =>
  schema['type'] === type && !has(schema, ...COMBINED);
const NEW = 'z9new';

interface Object_ {
  readonly properties: Schema;
  readonly required: readonly string[];
  readonly rest: 'open' | 'closed' | 'typed';
}

function objectOf(schema: Rule): Object_ | undefined {
  if (
    !isPlain(schema, 'object') ||
    has(schema, 'minProperties', 'maxProperties', 'patternProperties', 'unevaluatedProperties')
  )
    return undefined;
  const { properties = {}, required = [], additionalProperties: rest = true } = schema;
  if (!isSchema(properties) || !Array.isArray(required)) return undefined;
  const kind =
    rest === false
      ? 'closed'
      : rest === true || (isSchema(rest) && Object.keys(rest).length === 0)
        ? 'open'
        : 'typed';
  return { properties, required: required as string[], rest: kind };
}

const onObject =
  (
    change: (schema: Schema, object: Object_, pick: Pick) => Effect | undefined,
  ): Mutation['apply'] =>
  ({ schema }, pick) => {
    const object = objectOf(schema);
    return object && change(schema, object, pick);
  };

const optional = ({ properties, required }: Object_): string[] =>
  Object.keys(properties).filter((name) => !required.includes(name) && properties[name] !== false);
const mandatory = ({ properties, required }: Object_): string[] =>
  Object.keys(properties).filter((name) => required.includes(name));

function withoutKey(object: Schema, key: string): Schema {
  return Object.fromEntries(Object.entries(object).filter(([name]) => name !== key));
}

const onText =
  (change: (schema: Schema) => Effect | undefined): Mutation['apply'] =>
  ({ schema }) =>
    isPlain(schema, 'string') && !has(schema, 'enum', 'format', 'pattern')
      ? change(schema)
      : undefined;

const onNumber =
  (change: (schema: Schema, integer: boolean) => Effect | undefined): Mutation['apply'] =>
  ({ schema }) => {
    const integer = isPlain(schema, 'integer');
    const isFree = !has(schema, 'enum', 'multipleOf', 'exclusiveMinimum', 'exclusiveMaximum');
    return isFree && (integer || isPlain(schema, 'number')) ? change(schema, integer) : undefined;
  };

const onArray =
  (change: (schema: Schema) => Effect | undefined): Mutation['apply'] =>
  ({ schema }) =>
    isPlain(schema, 'array') &&
    !has(schema, 'prefixItems', 'contains', 'uniqueItems') &&
    !Array.isArray(schema['items'])
      ? change(schema)
      : undefined;

const numberIn = (schema: Schema, key: string, preset: number): number => {
  const value = schema[key];
  return typeof value === 'number' ? value : preset;
};

function set(schema: Schema, key: string, value: JsonValue, effect: Effect): Effect {
  schema[key] = value;
  return effect;
}

export const MUTATIONS: readonly Mutation[] = [
  {
    name: 'add a required property',
    apply: onObject((schema, { properties, required, rest }) => {
      if (rest === 'typed') return undefined;
      schema['properties'] = { ...properties, [NEW]: { type: 'string' } };
      schema['required'] = [...required, NEW];
      return rest === 'closed' ? 'other' : 'narrower';
    }),
  },
  {
    name: 'add an optional property',
    apply: onObject((schema, { properties, rest }) => {
      if (rest === 'typed') return undefined;
      schema['properties'] = { ...properties, [NEW]: { type: 'string' } };
      return rest === 'closed' ? 'wider' : 'same';
    }),
  },
  {
    name: 'require a property',
    apply: onObject((schema, object, pick) => {
      const name = pick(optional(object));
      return name === undefined
        ? undefined
        : set(schema, 'required', [...object.required, name], 'narrower');
    }),
  },
  {
    name: 'require a property no longer',
    apply: onObject((schema, object, pick) => {
      const name = pick(mandatory(object));
      if (name === undefined) return undefined;
      return set(
        schema,
        'required',
        object.required.filter((each) => each !== name),
        'wider',
      );
    }),
  },
  {
    name: 'remove an optional property',
    apply: onObject((schema, object, pick) => {
      const name = pick(optional(object));
      if (name === undefined || object.rest === 'typed') return undefined;
      schema['properties'] = withoutKey(object.properties, name);
      return object.rest === 'closed' ? 'narrower' : 'ignored';
    }),
  },
  {
    name: 'remove a required property',
    apply: onObject((schema, object, pick) => {
      const name = pick(mandatory(object));
      if (name === undefined || object.rest === 'typed') return undefined;
      schema['properties'] = withoutKey(object.properties, name);
      schema['required'] = object.required.filter((each) => each !== name);
      return object.rest === 'closed' ? 'other' : 'ignored-wider';
    }),
  },
  {
    name: 'close an object',
    apply: onObject((schema, { rest }) =>
      rest === 'open' ? set(schema, 'additionalProperties', false, 'narrower') : undefined,
    ),
  },
  {
    name: 'open an object',
    apply: onObject((schema, { rest }) =>
      rest === 'closed' ? set(schema, 'additionalProperties', true, 'wider') : undefined,
    ),
  },
  {
    name: 'remove a listed value',
    apply: ({ schema }, pick) => {
      const { enum: values } = schema;
      if (!Array.isArray(values) || values.length < 2 || has(schema, ...COMBINED)) return undefined;
      const gone = pick(values);
      return set(
        schema,
        'enum',
        values.filter((each) => each !== gone),
        'narrower',
      );
    },
  },
  {
    name: 'list another value',
    apply: ({ schema }) => {
      const { enum: values } = schema;
      const isText = Array.isArray(values) && values.every((each) => typeof each === 'string');
      if (!isText || has(schema, ...COMBINED, 'pattern', 'maxLength', 'minLength'))
        return undefined;
      return set(schema, 'enum', [...values, 'z9-other'], 'wider');
    },
  },
  {
    name: 'raise minLength',
    apply: onText((schema) => {
      const least = numberIn(schema, 'minLength', 0) + 1;
      return least <= numberIn(schema, 'maxLength', 1e9) && least < 1000
        ? set(schema, 'minLength', least, 'narrower')
        : undefined;
    }),
  },
  {
    name: 'lower maxLength',
    apply: onText((schema) => {
      const most = numberIn(schema, 'maxLength', 301) - 1;
      return most >= Math.max(1, numberIn(schema, 'minLength', 0)) && most < 3000
        ? set(schema, 'maxLength', most, 'narrower')
        : undefined;
    }),
  },
  {
    name: 'lower minLength',
    apply: onText((schema) => {
      const least = numberIn(schema, 'minLength', 0) - 1;
      return least >= 0 ? set(schema, 'minLength', least, 'wider') : undefined;
    }),
  },
  {
    name: 'add a pattern',
    apply: onText((schema) =>
      numberIn(schema, 'minLength', 0) === 0
        ? set(schema, 'pattern', '^[a-z]*$', 'narrower')
        : undefined,
    ),
  },
  {
    name: 'add a format',
    apply: onText((schema) =>
      numberIn(schema, 'maxLength', 1e9) >= 10 && numberIn(schema, 'minLength', 0) === 0
        ? set(schema, 'format', 'email', 'narrower')
        : undefined,
    ),
  },
  {
    name: 'raise the minimum',
    apply: onNumber((schema, integer) => {
      const least = numberIn(schema, 'minimum', -1000) + 3;
      const most = numberIn(schema, 'maximum', Infinity);
      return least + (integer ? 1 : 0) < most
        ? set(schema, 'minimum', least, 'narrower')
        : undefined;
    }),
  },
  {
    name: 'lower the maximum',
    apply: onNumber((schema) => {
      const most = numberIn(schema, 'maximum', 1000) - 3;
      return most > numberIn(schema, 'minimum', -Infinity)
        ? set(schema, 'maximum', most, 'narrower')
        : undefined;
    }),
  },
  {
    name: 'lower the minimum',
    apply: onNumber((schema) =>
      has(schema, 'minimum')
        ? set(schema, 'minimum', numberIn(schema, 'minimum', 0) - 5, 'wider')
        : undefined,
    ),
  },
  {
    name: 'drop the maximum',
    apply: onNumber((schema) => {
      if (!has(schema, 'maximum')) return undefined;
      delete schema['maximum'];
      return 'wider';
    }),
  },
  {
    name: 'integer to number',
    apply: onNumber((schema, integer) =>
      integer ? set(schema, 'type', 'number', 'wider') : undefined,
    ),
  },
  {
    name: 'number to integer',
    apply: onNumber((schema, integer) =>
      integer ? undefined : set(schema, 'type', 'integer', 'narrower'),
    ),
  },
  {
    name: 'multiples of 7 only',
    apply: onNumber((schema, integer) =>
      integer && !has(schema, 'minimum', 'maximum')
        ? set(schema, 'multipleOf', 7, 'narrower')
        : undefined,
    ),
  },
  {
    name: 'raise minItems',
    apply: onArray((schema) => {
      const least = numberIn(schema, 'minItems', 0) + 1;
      return least <= numberIn(schema, 'maxItems', 20)
        ? set(schema, 'minItems', least, 'narrower')
        : undefined;
    }),
  },
  {
    name: 'lower maxItems',
    apply: onArray((schema) => {
      const most = numberIn(schema, 'maxItems', 9) - 1;
      return most > numberIn(schema, 'minItems', 0)
        ? set(schema, 'maxItems', most, 'narrower')
        : undefined;
    }),
  },
  {
    name: 'unique items',
    apply: onArray((schema) =>
      numberIn(schema, 'maxItems', 2) > 1 && numberIn(schema, 'minItems', 0) < 2
        ? set(schema, 'uniqueItems', true, 'narrower')
        : undefined,
    ),
  },
  {
    name: 'accept another type',
    apply: ({ schema, taken }, pick) => {
      const { type } = schema;
      if (typeof type !== 'string' || has(schema, ...COMBINED, 'enum')) return undefined;
      const own = type === 'integer' ? 'number' : type;
      const free = ['null', 'boolean', 'string', 'number'].filter(
        (each) => each !== own && !taken.includes(each),
      );
      const other = pick(free);
      return other === undefined ? undefined : set(schema, 'type', [type, other], 'wider');
    },
  },
  {
    name: 'change the type',
    apply: ({ schema, taken }, pick) => {
      const { type } = schema;
      if (typeof type !== 'string' || has(schema, ...COMBINED, 'enum')) return undefined;
      const own = type === 'integer' ? 'number' : type;
      const other = pick(
        ['boolean', 'string', 'number'].filter((each) => each !== own && !taken.includes(each)),
      );
      if (other === undefined) return undefined;
      for (const key of Object.keys(schema))
        if (key !== 'description' && !key.startsWith('$')) delete schema[key];
      return set(schema, 'type', other, 'other');
    },
  },
  {
    name: 'describe it in other words',
    apply: ({ schema }) => set(schema, 'description', 'Other words.', 'same'),
  },
];
