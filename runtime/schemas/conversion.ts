import { isObject } from '../peer/wire/json.js';
import { LEVELS_ALONE } from '../transport/reading/bounds.js';
import { readJson } from '../transport/reading/read-json.js';
import { SchemaFault } from './fault.js';
import { pointerPart } from './pointers.js';
import { isKeyword } from './keywords.js';
import type { StandardSchema } from './standard.js';

export type Direction = 'input' | 'output';

const TARGET = 'draft-2020-12';

/** A Standard Schema, of any library and version. ArkType's are functions. */
function isStandard(value: unknown): value is { readonly '~standard': object } {
  return (isObject(value) || typeof value === 'function') && isObject(standardOf(value));
}

function standardOf(value: object): unknown {
  return (value as { readonly '~standard'?: unknown })['~standard'];
}

/** A Standard Schema that can be used: it checks values, and has JSON Schema. */
export function isDescribed(value: unknown): value is StandardSchema {
  if (!isStandard(value)) return false;
  const { validate, jsonSchema } = value['~standard'] as Record<string, unknown>;
  return (
    typeof validate === 'function' &&
    isObject(jsonSchema) &&
    typeof jsonSchema['input'] === 'function' &&
    typeof jsonSchema['output'] === 'function'
  );
}

/** Whether it is an object with keywords of JSON Schema, or with nothing. */
export function isJsonSchema(value: unknown): value is Record<string, unknown> {
  if (!isObject(value) || isStandard(value) || '_zod' in value || '_def' in value) return false;
  const prototype: unknown = Object.getPrototypeOf(value);
  // Objects of another realm have another `Object.prototype`.
  const isPlain = prototype === null || Object.getPrototypeOf(prototype) === null;
  const keys = Object.keys(value);
  // `{ title: z.string() }` has a name of a keyword, but is no schema.
  const isShape = Object.values(value).some(isStandard);
  return isPlain && !isShape && (keys.length === 0 || keys.some(isKeyword));
}

/** What to do with a value that is no schema which a tool can have. */
export function mendOf(value: unknown): string {
  if (isStandard(value)) {
    const { vendor } = value['~standard'] as Record<string, unknown>;
    return `. It has no JSON Schema: ${vendorMend(vendor, value)}`;
  }
  if (!isObject(value)) return '';
  if (isObject(value['_def'])) return '. It is a schema of Zod 3: use Zod 4';
  return Object.values(value).some(isStandard) ? '. Put z.object(…) around it' : '';
}

function vendorMend(vendor: unknown, schema: object): string {
  switch (vendor) {
    case 'zod': {
      const internals: unknown = (schema as Record<string, unknown>)['_zod'];
      if (!isObject(internals)) return 'it is a schema of Zod 3, use Zod 4.2 or newer';
      const { major = 4, minor = 0 } = isObject(internals['version']) ? internals['version'] : {};
      const isOld = (minor as number) < 2;
      return isOld
        ? `it is made by Zod ${major as number}.${minor as number}, use 4.2 or newer`
        : 'it is made by zod/mini, use zod';
    }
    case 'valibot':
      return 'use toStandardJsonSchema(…) of @valibot/to-json-schema';
    case 'arktype':
      return 'use ArkType 2.1.28 or newer';
    default:
      return 'use a library with Standard JSON Schema, or JSON Schema';
  }
}

/**
 * The JSON Schema of a schema, as it is sent to clients.
 *
 * @throws {SchemaFault} for what JSON Schema cannot express, or is no JSON.
 */
export function convert(schema: unknown, direction: Direction): Record<string, unknown> {
  const converted = isDescribed(schema) ? byLibrary(schema, direction) : schema;
  return asJson(converted);
}

function byLibrary(schema: StandardSchema, direction: Direction): unknown {
  const { vendor, jsonSchema } = schema['~standard'];
  try {
    return jsonSchema[direction]({ target: TARGET });
  } catch (error) {
    const found = vendor === 'zod' ? inexpressibleIn(schema, direction) : undefined;
    const place = found?.path.map(pointerPart).join('') ?? '';
    const mend = MENDS[found?.type ?? ''] ?? 'use a schema that JSON Schema has';
    throw new SchemaFault(
      place,
      error instanceof Error ? error.message : String(error),
      mend,
      error,
    );
  }
}

/** A copy that its author cannot change while it is served. */
function asJson(schema: unknown): Record<string, unknown> {
  let text: string | undefined;
  try {
    text = JSON.stringify(schema);
  } catch (error) {
    throw new SchemaFault('', 'it is no JSON', 'remove circles and bigints; use `$ref`', error);
  }
  const read = readJson(new TextEncoder().encode(text), LEVELS_ALONE);
  if (read.code === undefined && isObject(read.value)) return read.value;
  throw new SchemaFault('', 'it is no JSON, or too deeply nested', 'use an object of JSON');
}

/** Types of Zod that JSON Schema cannot express, and what to use instead. */
const MENDS: Readonly<Record<string, string>> = {
  date: 'use z.iso.datetime(), and new Date(…) in `run`',
  bigint: 'use z.int(), or z.string() for more than 53 bits',
  map: 'use z.record(…)',
  set: 'use z.array(…)',
  undefined: 'use .optional()',
  void: 'use .optional()',
  nan: 'use z.number()',
  symbol: 'use z.string() or z.enum([…])',
  function: 'a message holds no function: remove it',
  transform: 'convert in `run`, or use z.codec(…)',
  custom: 'use a schema of JSON with .refine(…)',
};

interface Inexpressible {
  readonly path: readonly (string | number)[];
  readonly type: string;
}

/** Zod's part of {@link byLibrary}'s error: the first type that JSON Schema lacks. Zod takes its own options here. */
function inexpressibleIn(schema: StandardSchema, direction: Direction): Inexpressible | undefined {
  let found: Inexpressible | undefined;
  const override = ({ zodSchema, path }: Overridden): void => {
    const { type } = zodSchema._zod.def;
    if (Object.hasOwn(MENDS, type)) found ??= { type, path };
  };
  try {
    schema['~standard'].jsonSchema[direction]({
      target: TARGET,
      libraryOptions: { unrepresentable: 'any', override },
    });
  } catch {
    // Then the error names no place.
  }
  return found;
}

/** What Zod passes to `override`. */
interface Overridden {
  readonly zodSchema: { readonly _zod: { readonly def: { readonly type: string } } };
  readonly path: readonly (string | number)[];
}
