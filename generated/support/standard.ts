// Written by mcp-codegen: what the generated files beside this folder have in common. Do not edit.
/* eslint-disable */

/** Definitions as Standard Schemas with Standard JSON Schema (https://standardschema.dev), which other libraries take. */
import type { Validation, ValidationOptions } from './validation.js';

/** A definition as an object that checks values, and describes them as JSON Schema. */
export interface StandardDefinition<T> {
  readonly '~standard': {
    readonly version: 1;
    readonly vendor: string;
    /** For the compiler only. */
    readonly types?: { readonly input: T; readonly output: T } | undefined;
    /** Checks formats too. Returns an accepted value as it is. */
    readonly validate: (
      value: unknown,
    ) =>
      | { readonly value: T; readonly issues?: undefined }
      | { readonly issues: readonly StandardIssue[] };
    /** Throws for a draft that cannot express the definition. */
    readonly jsonSchema: {
      readonly input: (options: StandardTarget) => Record<string, unknown>;
      readonly output: (options: StandardTarget) => Record<string, unknown>;
    };
  };
}

export interface StandardIssue {
  readonly message: string;
  readonly path: readonly string[];
}

export interface StandardTarget {
  /** `draft-2020-12` or `draft-07`. */
  readonly target: string;
}

type Json = { readonly [keyword: string]: unknown };

interface Described {
  readonly name: string;
  readonly schema: Json;
  /** The definitions that it refers to. */
  readonly needs: () => readonly object[];
}

const described = new WeakMap<object, Described>();

export function standard<T>(
  name: string,
  validate: (value: unknown, options?: ValidationOptions) => Validation<T>,
  schema: Json,
  needs: () => readonly object[] = () => [],
): StandardDefinition<T> {
  const jsonSchema = ({ target }: StandardTarget): Record<string, unknown> =>
    documentOf({ name, schema, needs }, target);
  const definition: StandardDefinition<T> = {
    '~standard': {
      version: 1,
      vendor: 'mcp-codegen',
      validate(value) {
        const result = validate(value, { formats: true });
        if (result.ok) return { value: result.value };
        return {
          issues: result.errors.map(({ pointer, expected, received }) => ({
            message: `Expected ${expected}, received ${received}`,
            path: pointer
              .split('/')
              .slice(1)
              .map((part) => part.replaceAll('~1', '/').replaceAll('~0', '~')),
          })),
        };
      },
      jsonSchema: { input: jsonSchema, output: jsonSchema },
    },
  };
  described.set(definition, { name, schema, needs });
  return definition;
}

/** A check that only says whether a value is valid, as one that reports. */
export function validating<T>(
  is: (value: unknown, options?: ValidationOptions) => value is T,
  name: string,
): (value: unknown, options?: ValidationOptions) => Validation<T> {
  return (value, options) => {
    if (is(value, options)) return { ok: true, value };
    const error = { pointer: '', expected: name, received: 'another value', message: '' };
    return { ok: false, errors: [error] };
  };
}

/** The JSON Schema of a definition with all that it refers to. */
function documentOf(root: Described, target: string): Record<string, unknown> {
  const draft = DRAFTS[target];
  if (draft === undefined) {
    throw new Error(`Unknown target ${target}: use ${Object.keys(DRAFTS).join(' or ')}`);
  }
  const found = new Map<string, Json>();
  const waiting = [...root.needs()];
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    const each = described.get(next);
    if (each === undefined || found.has(each.name)) continue;
    found.set(each.name, each.schema);
    waiting.push(...each.needs());
  }
  const parts = [...found]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, schema]) => [name, draft.convert(schema)]);
  return {
    $schema: draft.uri,
    ...(draft.convert(root.schema) as object),
    ...(parts.length > 0 && { [draft.container]: Object.fromEntries(parts) as Json }),
  };
}

interface Draft {
  readonly uri: string;
  readonly container: string;
  readonly convert: (schema: unknown) => unknown;
}

const DRAFTS: Readonly<Record<string, Draft>> = {
  'draft-2020-12': {
    uri: 'https://json-schema.org/draft/2020-12/schema',
    container: '$defs',
    // A copy, because the caller may change it.
    convert: copied,
  },
  'draft-07': {
    uri: 'http://json-schema.org/draft-07/schema#',
    container: 'definitions',
    convert: inDraft07,
  },
};

/** Keywords whose values hold no schemas. */
const VALUES: ReadonlySet<string> = new Set(['const', 'default', 'enum', 'required']);
/** Keywords whose values are schemas by names. */
const MAPS: ReadonlySet<string> = new Set(['properties', 'patternProperties']);

/** `structuredClone` is not in the library of the language. */
function copied(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(copied);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, copied(inner)]));
}

function inDraft07(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(inDraft07);
  if (typeof schema !== 'object' || schema === null) return schema;
  const entries = Object.entries(schema).map(([keyword, value]): [string, unknown] => {
    if (VALUES.has(keyword)) return [keyword, copied(value)];
    if (MAPS.has(keyword)) return [keyword, eachInDraft07(value as Json)];
    return [keyword, inDraft07(value)];
  });
  return olderKeywords(Object.fromEntries(entries));
}

function eachInDraft07(schemas: Json): Json {
  return Object.fromEntries(
    Object.entries(schemas).map(([name, schema]) => [name, inDraft07(schema)]),
  );
}

function olderKeywords({ prefixItems, ...schema }: Record<string, unknown>): Json {
  const { minContains = 1, maxContains, contains, $ref: ref, items } = schema;
  const isNewer = 'unevaluatedProperties' in schema || 'unevaluatedItems' in schema;
  if (isNewer || maxContains !== undefined || (minContains !== 1 && minContains !== 0)) {
    throw new Error('draft-07 cannot express the definition');
  }
  delete schema['minContains'];
  if (minContains === 0 && contains !== undefined) delete schema['contains'];
  if (prefixItems !== undefined) {
    schema['items'] = prefixItems;
    if (items !== undefined) schema['additionalItems'] = items;
  }
  if (typeof ref !== 'string') return schema;
  const moved = { $ref: ref.replace('#/$defs/', '#/definitions/') };
  delete schema['$ref'];
  // Keywords beside `$ref` mean nothing in draft-07.
  return Object.keys(schema).length === 0 ? moved : { ...schema, allOf: [moved] };
}
