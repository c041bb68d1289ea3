import {
  isObject,
  type JsonObject,
  type JsonValue,
  pointerParts,
  type Subschema,
  subschemas,
  isBeyondRe2,
  metaschemaFaults,
} from '../../json-schema/index.js';
import { references } from './references.js';
import { type Check, type CheckName, type Of } from './rule.js';
import { TOTALS, valuesOf } from './totals.js';

/** A tool as its server lists it. */
export interface ListedTool {
  readonly name: string;
  readonly description: string | undefined;
  readonly inputSchema: JsonValue | undefined;
  readonly outputSchema: JsonValue | undefined;
  /** Whether an earlier tool of the list has its name. */
  readonly isRepeated: boolean;
}

/** Where a check found something. */
export interface Spot {
  /** In the tool: `['inputSchema', 'properties', 'x']`. */
  readonly path: readonly (string | number)[];
  /** What is there, as a sentence. */
  readonly found: string;
  /** What to write instead, as a sentence. */
  readonly mend: string;
}

type Run<N extends CheckName> = (tool: ListedTool, rule: Extract<Check, { check: N }>) => Spot[];

/** Finds the spots of one tool. */
export const CHECKS: { readonly [N in CheckName]: Run<N> } = {
  'tool-name': ({ name }, { pattern }) =>
    matches(pattern, name)
      ? []
      : [
          {
            path: ['name'],
            found: `The name does not match ${pattern}.`,
            mend: 'Begin with a letter, and use letters, digits, _ and -, at most 64.',
          },
        ],
  'tool-name-length': ({ name }, { most, prefix = 0 }) =>
    name.length + prefix < most
      ? []
      : [
          {
            path: ['name'],
            found: `The name has ${name.length} characters, so that none of the ${most} are left for the server's.`,
            mend: 'Use a shorter name.',
          },
        ],
  'double-name': ({ isRepeated }) =>
    isRepeated
      ? [
          {
            path: ['name'],
            found: 'An earlier tool has the same name.',
            mend: 'Give each tool a name of its own.',
          },
        ]
      : [],
  'description-length': ({ description = '' }, { most }) =>
    description.length <= most
      ? []
      : [
          {
            path: ['description'],
            found: `The description has ${description.length} characters, more than ${most}.`,
            mend: 'Say the important things first, and less.',
          },
        ],
  'empty-description': ({ description }) =>
    description === ''
      ? [{ path: ['description'], found: 'The description is empty.', mend: 'Say what it does.' }]
      : [],
  'property-name': ({ inputSchema }, { pattern }) => {
    const properties = isObject(inputSchema) ? inputSchema['properties'] : undefined;
    const names = isObject(properties) ? Object.keys(properties) : [];
    return names
      .filter((name) => !matches(pattern, name))
      .map((name) => ({
        path: ['inputSchema', 'properties', name],
        found: `The name of the property does not match ${pattern}.`,
        mend: 'Use letters, digits, _, . and -, at most 64.',
      }));
  },
  'root-keyword': ({ inputSchema }, { names }) =>
    names
      .filter((name) => isObject(inputSchema) && Object.hasOwn(inputSchema, name))
      .map((name) => ({
        path: ['inputSchema', name],
        found: `${name} is at the root.`,
        mend: 'Put it into a property, or make a tool of each alternative.',
      })),
  keyword: (tool, { names }) =>
    each(tool, ({ schema }) =>
      names
        .filter((name) => Object.hasOwn(schema, name))
        .map((name) => ({
          below: [name],
          found: `${name} is used.`,
          mend: INSTEAD[name] ?? 'Leave it out, and check it in the tool.',
        })),
    ),
  draft: (tool, { accepts, of }) =>
    schemasOf(tool, of).flatMap(([key, schema]) => {
      const draft = isObject(schema) ? schema['$schema'] : undefined;
      if (draft === undefined || (typeof draft === 'string' && accepts.includes(draft))) return [];
      const mend = 'Leave $schema out, which means 2020-12, and use its keywords.';
      return [{ path: [key, '$schema'], found: '$schema names another draft.', mend }];
    }),
  'earlier-form': ({ inputSchema }) => {
    if (!isObject(inputSchema) || metaschemaFaults(inputSchema).length > 0) return [];
    const { $schema: _, ...schema } = inputSchema;
    return faultsOf('inputSchema', schema, 'Write it as in 2020-12.');
  },
  schema: (tool) => [
    ...(tool.inputSchema === undefined ? [NO_INPUT] : []),
    ...schemasOf(tool, 'both').flatMap(([key, schema]) =>
      faultsOf(key, schema, 'Correct it by the draft of the schema.'),
    ),
  ],
  'root-type': (tool, { of }) =>
    schemasOf(tool, of)
      .filter(([, schema]) => !isObject(schema) || schema['type'] !== 'object')
      .map(([key]) => ({
        path: [key],
        found: 'The root is not "type": "object".',
        mend: 'Add "type": "object", or put the value into a property.',
      })),
  reference: ({ inputSchema }) =>
    references(inputSchema ?? null).map(({ path, recursive }) => ({
      path: ['inputSchema', ...path, '$ref'],
      found: recursive ? 'A schema refers to itself.' : 'A schema refers to another.',
      mend: recursive
        ? 'Write out as many levels as you need.'
        : "Write it out in its place, as schemas: 'portable' of createTaskServer does.",
    })),
  'boolean-schema': (tool) =>
    each(tool, ({ schema: { properties } }) =>
      Object.entries(isObject(properties) ? properties : {})
        .filter(([, schema]) => typeof schema === 'boolean')
        .map(([name]) => ({
          below: ['properties', name],
          found: 'The schema of the property is true or false.',
          mend: 'Use {} instead of true, and leave out a property that is false.',
        })),
    ),
  'required-undefined': (tool) =>
    each(tool, ({ schema: { properties = {}, required }, path }) => {
      // Parts of a union may require what the whole describes.
      const isWhole = path.every((name) => !COMPOSED.includes(String(name)));
      if (!isWhole || !Array.isArray(required) || !isObject(properties)) return [];
      return required
        .map((name, at) => ({ name, at }))
        .filter(({ name }) => typeof name === 'string' && !Object.hasOwn(properties, name))
        .map(({ at }) => ({
          below: ['required', at],
          found: 'A required name is not in properties.',
          mend: 'Describe it in properties, or do not require it.',
        }));
    }),
  'properties-of-other-type': (tool) =>
    each(tool, ({ schema }) =>
      schema['type'] === undefined || isOfType(schema, 'object')
        ? []
        : ['properties', 'required']
            .filter((name) => Object.hasOwn(schema, name))
            .map((name) => ({
              below: [name],
              found: `${name} is beside a type that is not object.`,
              mend: 'Leave it out, or say "type": "object".',
            })),
    ),
  pattern: (tool, { engine }) =>
    each(tool, ({ schema: { pattern } }) =>
      typeof pattern === 'string' && REFUSES[engine](pattern)
        ? [
            {
              below: ['pattern'],
              found: 'The pattern is one that not every engine takes.',
              mend: 'Write it as ^…$ without lookarounds and references, or say it in the description.',
            },
          ]
        : [],
    ),
  type: (tool, { kind }) =>
    each(tool, ({ schema, path }) => {
      const { type } = schema;
      if (kind !== 'missing') {
        if (!Array.isArray(type) || (kind === 'list-as-items' && path.at(-1) !== 'items'))
          return [];
        const mend = 'Give one type, or anyOf with one type each.';
        return [{ below: ['type'], found: 'type is a list.', mend }];
      }
      if (type !== undefined || TYPED_OTHERWISE.some((name) => Object.hasOwn(schema, name))) {
        return [];
      }
      return [{ below: [], found: 'The schema has no type.', mend: 'Give it one.' }];
    }),
  'array-without-items': (tool) =>
    each(tool, ({ schema }) =>
      isOfType(schema, 'array') && schema['items'] === undefined
        ? [{ below: [], found: 'The array has no items.', mend: 'Say what its items are.' }]
        : [],
    ),
  'object-without-properties': (tool) =>
    each(tool, ({ schema, path }) =>
      path.length === 0 && isOfType(schema, 'object') && schema['properties'] === undefined
        ? [{ below: [], found: 'The object has no properties.', mend: 'Add "properties": {}.' }]
        : [],
    ),
  'enum-value': (tool, { refuses }) =>
    each(tool, ({ schema }) =>
      ['enum', 'const']
        .filter((name) => valuesOf(schema, name).some(REFUSED[refuses].isRefused))
        .map((name) => ({ below: [name], ...REFUSED[refuses].say(name) })),
    ),
  'enum-of-array': (tool) =>
    each(tool, ({ schema }) =>
      isOfType(schema, 'array') && schema['enum'] !== undefined
        ? [{ below: ['enum'], found: 'enum is beside an array.', mend: 'Put it into items.' }]
        : [],
    ),
  format: (tool, { accepts }) =>
    each(tool, ({ schema }) => {
      const { format } = schema;
      if (typeof format !== 'string' || accepts.includes(format)) return [];
      const mend = `Use ${accepts.join(', ')}, or say it in the description.`;
      return [{ below: ['format'], found: 'The format is not known.', mend }];
    }),
  'open-object': (tool) =>
    each(tool, ({ schema }) =>
      isOfType(schema, 'object') && schema['additionalProperties'] !== false
        ? [
            {
              below: [],
              found: 'The object may have other properties.',
              mend: 'Add "additionalProperties": false.',
            },
          ]
        : [],
    ),
  'optional-property': (tool) =>
    each(tool, ({ schema }) => {
      const { properties, required } = schema;
      const names = isObject(properties) ? Object.keys(properties) : [];
      const isRequired = new Set(Array.isArray(required) ? required : []);
      return names
        .filter((name) => !isRequired.has(name))
        .map((name) => ({
          below: ['properties', name],
          found: 'The property is optional.',
          mend: 'Require it, and let it be null.',
        }));
    }),
  depth: ({ inputSchema }, { most }) => {
    const first = subschemas(inputSchema).find(({ depth }) => depth > most);
    if (first === undefined) return [];
    const found = `The schema nests deeper than ${most} levels.`;
    return [{ path: ['inputSchema', ...first.path], found, mend: 'Make it flatter.' }];
  },
  total: ({ inputSchema }, { what, most }) => {
    const { words, count } = TOTALS[what];
    const total = count(subschemas(inputSchema).map(({ schema }) => schema));
    if (total <= most) return [];
    const found = `The schema has ${total} ${words}, more than ${most}.`;
    return [{ path: ['inputSchema'], found, mend: 'Make several tools of it.' }];
  },
};

/** https://github.com/google/re2/wiki/Syntax. The source of llama.cpp takes one anchor off each end. */
const REFUSES = {
  re2: isBeyondRe2,
  llama: (pattern: string) => !/^\^.*\$$/s.test(pattern) || isBeyondRe2(pattern),
} as const;

const REFUSED = {
  'no-string': {
    isRefused: (value: JsonValue) => typeof value !== 'string',
    say: (name: string) => ({
      found: `${name} has a value that is no string.`,
      mend: 'Use texts, or say the values in the description.',
    }),
  },
  empty: {
    isRefused: (value: JsonValue) => value === '',
    say: (name: string) => ({
      found: `${name} has an empty text.`,
      mend: 'Leave it out, and make the property optional.',
    }),
  },
} as const;

const NO_INPUT: Spot = {
  path: [],
  found: 'The tool has no inputSchema.',
  mend: 'Add "inputSchema": {"type": "object", "properties": {}}.',
};

/** What to write for a keyword that a host does not know. */
const INSTEAD: Readonly<Record<string, string>> = {
  const: 'Use enum with one value.',
  oneOf: 'Use anyOf, or one tool for each alternative.',
  anyOf: 'Use one tool for each alternative, or an enum.',
  allOf: 'Write the parts out as one schema.',
  prefixItems: 'Use an object with a property for each place.',
  exclusiveMinimum: 'Use minimum, and check the rest in the tool.',
  exclusiveMaximum: 'Use maximum, and check the rest in the tool.',
  patternProperties: 'Use additionalProperties, or an array of entries.',
};

/** They say a type in another way than `type`. */
const TYPED_OTHERWISE = ['anyOf', 'oneOf', 'allOf', '$ref'];

/** Their parts say something about the same value as the schema around them. */
const COMPOSED = ['anyOf', 'oneOf', 'allOf', 'not', 'if', 'then', 'else', 'dependentSchemas'];

function faultsOf(key: string, schema: JsonValue, mend: string): Spot[] {
  return metaschemaFaults(schema).map(({ pointer, message }) => ({
    path: [key, ...pointerParts(pointer)],
    found: message,
    mend,
  }));
}

/** What a schema in a tool has, with its place below that schema. */
type Below = Omit<Spot, 'path'> & { readonly below: Spot['path'] };

/** The places in the input. */
function each(
  { inputSchema }: ListedTool,
  find: (subschema: Subschema) => readonly Below[],
): Spot[] {
  return subschemas(inputSchema).flatMap((subschema) =>
    find(subschema).map(({ below, ...rest }) => ({
      ...rest,
      path: ['inputSchema', ...subschema.path, ...below],
    })),
  );
}

function schemasOf({ inputSchema, outputSchema }: ListedTool, of: Of): [string, JsonValue][] {
  const both: readonly [string, Of, JsonValue | undefined][] = [
    ['inputSchema', 'input', inputSchema],
    ['outputSchema', 'output', outputSchema],
  ];
  return both.flatMap(([key, which, schema]) =>
    schema === undefined || (of !== which && of !== 'both') ? [] : [[key, schema]],
  );
}

function matches(pattern: string, text: string): boolean {
  return new RegExp(pattern, 'u').test(text);
}

function isOfType({ type }: JsonObject, name: string): boolean {
  return type === name || (Array.isArray(type) && type.includes(name));
}
