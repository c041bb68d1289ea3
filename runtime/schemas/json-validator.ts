import type * as cfworker from '@cfworker/json-schema';
import type { Schema, SchemaDraft, ValidationResult } from '@cfworker/json-schema';

import { missing } from '../optional.js';
import { SchemaFault } from './fault.js';
import { eachSchema, schemasIn } from './keywords.js';
import type { Checked, Formats } from './standard.js';
import { limitSteps, MOST_STEPS, TooManySteps } from './step-limit.js';
import { duplicateText, type UniqueItems, uniqueItems } from './unique-items.js';

/** Checks values against plain JSON Schema, without `eval`. */
export type JsonCheck = (value: unknown) => Checked;

type Library = Pick<typeof cfworker, 'dereference' | 'format' | 'validate'>;

let library: Library | undefined;

/** @throws {MissingPackageError} */
export async function loadJsonValidator(): Promise<void> {
  library ??= await import('@cfworker/json-schema').catch(
    missing('@cfworker/json-schema', 'A tool with plain JSON Schema'),
  );
}

/** Checks of formats for the whole process, in place of those of the library. Call `loadJsonValidator` first. */
export function addFormats(formats: Formats): void {
  Object.assign(library?.format ?? {}, formats);
}

/** The library's check of a format; `undefined` for one that it does not check. */
export function formatCheck(name: unknown): Formats[string] | undefined {
  return library?.format[String(name)];
}

/**
 * Call `loadJsonValidator` first. `most`: the steps of one check, for a schema of a stranger. `all`: gives all issues.
 *
 * @throws {SchemaFault} for references that the library does not find.
 */
export function jsonCheck(
  schema: Record<string, unknown>,
  { most, all = false }: { readonly most?: number; readonly all?: boolean } = {},
): JsonCheck {
  if (library === undefined) throw new Error('The validator of JSON Schema is not loaded');
  const { dereference, validate } = library;
  const draft = draftOf(schema);
  const { prepared, unique } = preparedFor(schema);
  const lookup = dereference(prepared);
  assertFound(lookup);
  const begin = limitSteps(lookup, most);
  return (value) => {
    try {
      begin();
      const read = unique === undefined ? value : unique.watched(value);
      // The first issue is enough: a list from a stranger may have millions.
      const { valid, errors } = validate(read, prepared, draft, lookup, !all);
      return valid ? { value } : { issues: errors.filter(isInnermost).map(issueOf) };
    } catch (error) {
      return { issues: [{ message: failureText(error, most) }] };
    }
  };
}

function failureText(error: unknown, most = MOST_STEPS): string {
  if (error instanceof TooManySteps) {
    return `it takes more than ${most.toLocaleString('en')} steps to check`;
  }
  return error instanceof RangeError ? 'it is nested too deeply' : 'it holds what is no JSON';
}

function assertFound(lookup: Readonly<Record<string, Schema | boolean>>): void {
  for (const schema of Object.values(lookup)) {
    if (typeof schema === 'boolean' || schema.$ref === undefined) continue;
    const uri = schema['__absolute_ref__'] ?? schema.$ref;
    if (uri in lookup) continue;
    throw new SchemaFault(
      '',
      `the validator does not find what ${schema.$ref.slice(0, 200)} refers to`,
      'refer to it as #/$defs/…',
    );
  }
}

const DRAFTS: Readonly<Record<string, SchemaDraft>> = {
  'http://json-schema.org/draft-07/schema': '7',
  'https://json-schema.org/draft/2019-09/schema': '2019-09',
  'https://json-schema.org/draft/2020-12/schema': '2020-12',
};

/** @throws {SchemaFault} for a draft that is not checked. */
export function draftOf({ $schema }: Record<string, unknown>): SchemaDraft {
  if ($schema === undefined) return '2020-12';
  const name = typeof $schema === 'string' ? $schema.replace(/#$/, '') : '';
  const draft = Object.hasOwn(DRAFTS, name) ? DRAFTS[name] : undefined;
  if (draft !== undefined) return draft;
  throw new SchemaFault(
    '/$schema',
    `the draft ${name.slice(0, 200)} is not known`,
    `use one of ${Object.keys(DRAFTS).join(', ')}`,
  );
}

/** With a full stop at the end. */
const LONGEST_HOST_NAME = 254;

interface Prepared {
  readonly prepared: Schema;
  /** What replaces `uniqueItems`, if the schema has that. */
  readonly unique: UniqueItems | undefined;
}

/** A copy of the schema in the keywords that the library has. */
function preparedFor(schema: Record<string, unknown>): Prepared {
  // V8 gives objects that are parsed together the shapes of literals, which are faster to read than clones.
  const copy = JSON.parse(JSON.stringify(schema)) as Record<string, unknown>;
  const all = [...schemasIn(copy).keys()];
  const isUnique = all.some((each) => each['uniqueItems'] === true);
  const unique = isUnique ? uniqueItems() : undefined;
  for (const each of all) {
    withoutDynamics(each);
    boundChecks(each, unique);
  }
  return { prepared: copy, unique };
}

/** `assertStatic` has made sure that there is one scope: then a dynamic reference leads where a plain one does. */
function withoutDynamics(schema: Record<string, unknown>): void {
  const { $dynamicRef: reference, $dynamicAnchor: anchor, $ref: ref } = schema;
  if (anchor !== undefined) {
    delete schema['$dynamicAnchor'];
    schema['$anchor'] = anchor;
  }
  if (reference === undefined) return;
  delete schema['$dynamicRef'];
  if (ref === undefined) schema['$ref'] = reference;
  else addTo(schema, { $ref: reference });
}

/**
 * Replaces checks of the library that a stranger's value could keep busy: `uniqueItems` compares all items with each other,
 * the pattern of the format `url` takes exponential time, and a longer host name is refused without its pattern.
 */
function boundChecks(schema: Record<string, unknown>, unique: UniqueItems | undefined): void {
  const { uniqueItems: isUnique, format } = schema;
  if (isUnique === true) {
    delete schema['uniqueItems'];
    addTo(schema, { minItems: unique?.limit });
  }
  if (format === 'url') schema['format'] = 'uri';
  if (format !== 'hostname') return;
  delete schema['format'];
  addTo(schema, {
    if: { type: 'string', minLength: LONGEST_HOST_NAME + 1 },
    then: { maxLength: LONGEST_HOST_NAME },
    else: { format },
  });
}

function addTo(schema: Record<string, unknown>, part: object): void {
  const { allOf } = schema;
  schema['allOf'] = [...(Array.isArray(allOf) ? (allOf as unknown[]) : []), part];
}

/** @throws {SchemaFault} for dynamic references whose target depends on the way to them, which the library does not follow. */
export function assertStatic(schema: Record<string, unknown>): void {
  let dynamic: string | undefined;
  let scope: string | undefined;
  const anchors = new Set<unknown>();
  eachSchema(schema, (each, place) => {
    const { $dynamicAnchor: anchor } = each;
    if (anchor !== undefined && each['$anchor'] !== undefined) scope ??= place;
    if ('$dynamicRef' in each || '$recursiveRef' in each) dynamic ??= place;
    if (place !== '' && typeof each['$id'] === 'string') scope ??= place;
    if (anchor !== undefined && anchors.has(anchor)) scope ??= place;
    anchors.add(anchor);
  });
  if (dynamic === undefined || scope === undefined) return;
  throw new SchemaFault(
    `${dynamic}/$dynamicRef`,
    'a dynamic reference is checked only in a schema with one `$id` and one anchor of each name',
    'use `$ref`',
  );
}

type Found = ValidationResult['errors'][number];

/** Keywords whose errors only say that there are errors further in. */
const OUTER = new Set(['$ref', 'additionalProperties', 'allOf', 'if', 'items', 'properties']);

function isInnermost({ keyword }: Found, at: number, all: readonly Found[]): boolean {
  return !OUTER.has(keyword) || at === all.length - 1;
}

function issueOf({ instanceLocation, error, keyword }: Found): { path: string[]; message: string } {
  const path = instanceLocation
    .split('/')
    .slice(1)
    .map((part) =>
      decodeURI(part).replaceAll('%23', '#').replaceAll('~1', '/').replaceAll('~0', '~'),
    );
  if (keyword === 'false') return { path, message: 'it is not allowed here' };
  return { path, message: duplicateText(error) ?? error.slice(0, 500) };
}
