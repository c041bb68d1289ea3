import { valueAt } from '../../../json-schema/pointer.js';
import { type DiagnosticError } from '../../diagnostics/index.js';
import {
  isKeyword,
  isObject,
  isSchema,
  jsonPointer,
  type JsonValue,
  quote,
} from '../../../json-schema/index.js';
import type { Limits } from './limits.js';
import type { DefinitionNames, Entry, Named } from './names.js';
import type { OpenApi } from './openapi/index.js';
import { inEnglish, refusal } from './refusal.js';

/** The places of definitions; a reference leads to the same one under either. */
const CONTAINERS = ['$defs', 'definitions'] as const;

/** Keywords of a whole document that make no definition of it. */
const FRAME: ReadonlySet<string> = new Set([
  ...CONTAINERS,
  ...['$schema', '$id', 'id', '$anchor', '$dynamicAnchor', '$recursiveAnchor'],
  ...['$comment', '$vocabulary', 'title', 'description', 'default', 'examples'],
]);

/** The definitions of a document, and the document itself if it is a schema. */
export function entriesOf(
  called: string,
  json: { [key: string]: JsonValue },
  limits: Limits,
  names: DefinitionNames,
): Entry[] {
  const present = CONTAINERS.filter((key) => json[key] !== undefined);
  const others = Object.keys(json).filter((key) => !FRAME.has(key));
  const isItself = others.length > 0;
  if (present.length === 0 && isItself && !others.some(isKeyword)) {
    // Without its keys: it may be any file of the user.
    throw refusal('not-a-schema', 'The object has no keyword of JSON Schema.', '', HELP);
  }
  if (present.length === 0 && !isItself) {
    throw refusal('not-a-schema', 'The object has neither "$defs" nor "definitions".', '', HELP);
  }
  const found: Named[] = [];
  const seen = new Set<string>();
  for (const container of present) {
    const group = json[container];
    if (!isObject(group)) {
      throw refusal('not-a-schema', `"${container}" is not an object.`, `/${container}`, HELP);
    }
    for (const each of Object.keys(group)) {
      if (seen.has(each)) throw duplicateDefinition([container, each]);
      seen.add(each);
      found.push({ name: each, path: [container, each] });
    }
  }
  if (found.length === 0 && !isItself) {
    throw refusal(
      'empty-document',
      'The document has no definitions.',
      `/${String(present[0])}`,
      HELP,
    );
  }
  if (found.length > limits.definitions) {
    throw tooManyDefinitions(found.length, limits, `/${String(present[0])}`);
  }
  const entries = names.forDefinitions(found);
  if (!isItself) return entries;
  const title = typeof json['title'] === 'string' ? json['title'] : called;
  return [{ given: names.forRoot(title), path: [] }, ...entries];
}

/** What the schemas of a document are kept in, by name. */
const GROUPS: ReadonlySet<string> = new Set([...CONTAINERS, 'schemas', 'properties']);

/** The schemas at a place of the document, or the schema there. */
export function entriesAt(
  at: readonly string[],
  json: { [key: string]: JsonValue },
  limits: Limits,
  names: DefinitionNames,
): Entry[] {
  const pointer = jsonPointer(at);
  const found = valueAt(json, at);
  if (!GROUPS.has(at.at(-1) ?? '')) {
    if (isSchema(found)) return [{ given: names.forRoot(at.at(-1) ?? ''), path: at }];
    throw refusal('not-a-schema', `There is no schema at ${quote(pointer)}.`, pointer, HELP_AT);
  }
  if (!isObject(found)) {
    throw refusal('not-a-schema', `There are no schemas at ${quote(pointer)}.`, pointer, HELP_AT);
  }
  const named = Object.keys(found).map((name) => ({ name, path: [...at, name] }));
  if (named.length === 0) {
    throw refusal('empty-document', `There are no schemas at ${quote(pointer)}.`, pointer, HELP_AT);
  }
  if (named.length > limits.definitions) throw tooManyDefinitions(named.length, limits, pointer);
  return names.forDefinitions(named);
}

/** The schemas of an OpenAPI document: those by name, and then those of its operations. */
export function entriesOfApi(
  { document, schemas, parts }: OpenApi,
  limits: Limits,
  names: DefinitionNames,
): Entry[] {
  const group = valueAt(document, schemas);
  const isEmpty = group === undefined || (isObject(group) && Object.keys(group).length === 0);
  if (isEmpty && parts.length === 0) {
    const message = 'The OpenAPI document has no schemas, and its operations have no JSON.';
    throw refusal('empty-document', message, jsonPointer(schemas));
  }
  const named = isEmpty ? [] : entriesAt(schemas, document, limits, names);
  const count = named.length + parts.length;
  if (count > limits.definitions) {
    throw tooManyDefinitions(count, limits, '', `Give the place of a part of them: ${PLACES}`);
  }
  return [...named, ...names.forDefinitions(parts)];
}

const PLACES = 'openapi.yaml#/components/schemas leaves the operations out.';

const HELP_AT = 'Give the place of the schemas, for example openapi.yaml#/components/schemas.';

function tooManyDefinitions(
  count: number,
  limits: Limits,
  pointer: string,
  help?: string,
): DiagnosticError {
  return refusal(
    'too-large',
    `The document has ${inEnglish(count)} definitions, more than ${inEnglish(limits.definitions)}.`,
    pointer,
    help,
  );
}

export const HELP = 'Put the schemas to generate under "$defs", by name.';

export function duplicateDefinition(path: readonly string[]): DiagnosticError {
  return refusal(
    'duplicate-definition',
    `${quote(path.at(-1) ?? '')} is defined twice.`,
    jsonPointer(path),
    'Remove or rename one of the two.',
  );
}
