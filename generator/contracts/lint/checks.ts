import {
  isObject,
  type JsonObject,
  type JsonValue,
  pointerParts,
  type Subschema,
  subschemas,
  metaschemaFaults,
} from '../../../json-schema/index.js';
import { references } from './references.js';
import type { Check, CheckName, Of } from './rule.js';

/** A tool as its server lists it. */
export interface ListedTool {
  readonly name: string;
  readonly description: string | undefined;
  readonly inputSchema: JsonValue | undefined;
  readonly outputSchema: JsonValue | undefined;
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

/** Finds the spots of one tool. `tool-count` is about the list, and in `lint.ts`. */
export const CHECKS: { readonly [N in Exclude<CheckName, 'tool-count'>]: Run<N> } = {
  'tool-name': ({ name }, { pattern }) =>
    matches(pattern, name)
      ? []
      : [
          {
            path: ['name'],
            found: `The name does not match ${pattern}.`,
            mend: 'Use letters, digits, _ and -.',
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
  'root-keyword': (tool, { names, of }) =>
    schemasOf(tool, of).flatMap(([key, schema]) =>
      names
        .filter((name) => isObject(schema) && Object.hasOwn(schema, name))
        .map((name) => ({
          path: [key, name],
          found: `${name} is at the root.`,
          mend: 'Put it into a property, or make a tool of each alternative.',
        })),
    ),
  keyword: (tool, { names, of }) =>
    each(tool, of, ({ schema }) =>
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
  'earlier-form': (tool, { of }) =>
    each(tool, of, ({ schema }) =>
      EARLIER.filter(([name, isEarlier]) => isEarlier(schema[name])).map(([name, , mend]) => ({
        below: [name],
        found: `${name} has the form of an earlier draft.`,
        mend,
      })),
    ),
  schema: (tool, { of }) => [
    ...(tool.inputSchema === undefined ? [NO_INPUT] : []),
    ...schemasOf(tool, of).flatMap(([key, schema]) =>
      metaschemaFaults(schema).map(({ pointer, message }) => ({
        path: [key, ...pointerParts(pointer)],
        found: message,
        mend: 'Correct it by the draft of the schema.',
      })),
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
  type: (tool, { kind }) =>
    each(tool, 'input', ({ schema }) => {
      const { type } = schema;
      if (kind === 'list') {
        if (!Array.isArray(type)) return [];
        const mend = 'Give one type, or anyOf with one type each.';
        return [{ below: ['type'], found: 'type is a list.', mend }];
      }
      if (type !== undefined || TYPED_OTHERWISE.some((name) => Object.hasOwn(schema, name))) {
        return [];
      }
      return [{ below: [], found: 'The schema has no type.', mend: 'Give it one.' }];
    }),
  'array-without-items': (tool) =>
    each(tool, 'input', ({ schema }) =>
      isOfType(schema, 'array') && schema['items'] === undefined
        ? [{ below: [], found: 'The array has no items.', mend: 'Say what its items are.' }]
        : [],
    ),
  'object-without-properties': (tool) =>
    each(tool, 'input', ({ schema, path }) =>
      path.length === 0 && isOfType(schema, 'object') && schema['properties'] === undefined
        ? [{ below: [], found: 'The object has no properties.', mend: 'Add "properties": {}.' }]
        : [],
    ),
  'enum-type': (tool, { accepts }) =>
    each(tool, 'input', ({ schema }) =>
      ['enum', 'const']
        .filter((name) => valuesOf(schema, name).some((value) => !accepts.includes(typeof value)))
        .map((name) => ({
          below: [name],
          found: `${name} has a value that is no ${accepts.join(' or ')}.`,
          mend: 'Use texts, or say the values in the description.',
        })),
    ),
  format: (tool, { accepts }) =>
    each(tool, 'input', ({ schema }) => {
      const { format } = schema;
      if (typeof format !== 'string' || accepts.includes(format)) return [];
      const mend = `Use ${accepts.join(', ')}, or say it in the description.`;
      return [{ below: ['format'], found: 'The format is not known.', mend }];
    }),
  'open-object': (tool) =>
    each(tool, 'input', ({ schema }) =>
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
    each(tool, 'input', ({ schema }) => {
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
  'property-count': ({ inputSchema }, { most }) =>
    tooMany(
      'properties',
      most,
      subschemas(inputSchema).map(({ schema: { properties } }) =>
        isObject(properties) ? Object.keys(properties).length : 0,
      ),
    ),
  'enum-count': ({ inputSchema }, { most }) =>
    tooMany(
      'values of enum',
      most,
      subschemas(inputSchema).map(({ schema }) => valuesOf(schema, 'enum').length),
    ),
};

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

type Earlier = readonly [
  name: string,
  isEarlier: (value: JsonValue | undefined) => boolean,
  mend: string,
];

const isBoolean = (value: JsonValue | undefined): boolean => typeof value === 'boolean';
const isArray = (value: JsonValue | undefined): boolean => Array.isArray(value);

const EARLIER: readonly Earlier[] = [
  ['exclusiveMinimum', isBoolean, 'Give the number itself, without minimum.'],
  ['exclusiveMaximum', isBoolean, 'Give the number itself, without maximum.'],
  ['required', isBoolean, 'List the required properties in the object around it.'],
  ['items', isArray, 'Use prefixItems.'],
];

/** What a schema in a tool has, with its place below that schema. */
type Below = Omit<Spot, 'path'> & { readonly below: Spot['path'] };

function each(
  tool: ListedTool,
  of: Of | undefined,
  find: (subschema: Subschema) => readonly Below[],
): Spot[] {
  return schemasOf(tool, of).flatMap(([key, root]) =>
    subschemas(root).flatMap((subschema) =>
      find(subschema).map(({ below, ...rest }) => ({
        ...rest,
        path: [key, ...subschema.path, ...below],
      })),
    ),
  );
}

function schemasOf(tool: ListedTool, of: Of = 'input'): [string, JsonValue][] {
  const both: [string, JsonValue | undefined][] = [
    ...(of === 'output'
      ? []
      : [['inputSchema', tool.inputSchema] as [string, JsonValue | undefined]]),
    ...(of === 'input'
      ? []
      : [['outputSchema', tool.outputSchema] as [string, JsonValue | undefined]]),
  ];
  return both.filter((pair): pair is [string, JsonValue] => pair[1] !== undefined);
}

function tooMany(what: string, most: number, counts: readonly number[]): Spot[] {
  const count = counts.reduce((sum, next) => sum + next, 0);
  if (count <= most) return [];
  const found = `The schema has ${count} ${what}, more than ${most}.`;
  return [{ path: ['inputSchema'], found, mend: 'Make several tools of it.' }];
}

function matches(pattern: string, text: string): boolean {
  return new RegExp(pattern, 'u').test(text);
}

function isOfType({ type }: JsonObject, name: string): boolean {
  return type === name || (Array.isArray(type) && type.includes(name));
}

function valuesOf(schema: JsonObject, name: string): readonly JsonValue[] {
  const value = schema[name];
  if (value === undefined) return [];
  return name === 'enum' ? (Array.isArray(value) ? value : []) : [value];
}
