import { isRecord } from './record.js';
import { isSecretName } from './names.js';
import { MASK } from './text.js';

/**
 * What surrounds a value. `hidden`: every value below is a secret. `form` and `forms`: the answer to an
 * elicitation, and a table of answers. `schema`: a JSON Schema, and `schemas`: a table of them by names that say
 * nothing of secrets. `constant`: values that a schema compares with. `annotation`: texts and values of a schema
 * that no value is compared with. `plain`: no secret, although its text may look like one.
 */
export type Inside =
  | 'message'
  | 'form'
  | 'forms'
  | 'hidden'
  | 'schema'
  | 'schemas'
  | 'constant'
  | 'annotation'
  | 'plain';

/** How a value is shown: masked as a whole, or with its parts in these surroundings. */
export type Shown = typeof MASK | Inside;

/** What surrounds the values of keywords, in every draft of JSON Schema. The other keywords contain schemas, or words of it. */
const KEYWORDS: ReadonlyMap<string, Inside> = new Map([
  ...['properties', 'patternProperties', '$defs', 'definitions', 'dependentSchemas'].map(
    (each) => [each, 'schemas'] as const,
  ),
  ...['enum', 'const'].map((each) => [each, 'constant'] as const),
  ...['title', 'description', '$comment', 'default', 'examples'].map(
    (each) => [each, 'annotation'] as const,
  ),
]);
/** Keys whose value is the schema of a form or of a tool. */
const SCHEMAS = new Set(['inputSchema', 'outputSchema', 'requestedSchema']);

/**
 * How the value of a key is shown. `parent` is the object that contains it.
 * A value under the name of a secret is masked as a whole, whatever its type, as are the answers in a form.
 */
export function shownAs(
  key: string,
  value: unknown,
  parent: Readonly<Record<string, unknown>>,
  inside: Inside,
): Shown {
  if (inside === 'hidden') return hidden(value);
  if (inside === 'forms') return isSampled(value) ? 'message' : 'form';
  if (inside === 'schema') return KEYWORDS.get(key) ?? 'schema';
  if (inside === 'schemas') return 'schema';
  if (isOfSchema(inside)) return inside;
  if (isSecretName(key, value)) return maskOf(value);
  if (key === 'content' && (inside === 'form' || isForm(parent))) return hidden(value);
  if (key === 'inputResponses' && isRecord(value)) return 'forms';
  if (isNamedValue(key, parent)) return maskOf(value);
  if (inside === 'message' && isPlain(key, value, parent)) return 'plain';
  if (inside === 'message' && SCHEMAS.has(key) && isSchemaOf(key, parent)) return 'schema';
  return inside === 'form' ? 'message' : inside;
}

/** Whether a value is part of a schema, whose keys stay as they are. */
export function isOfSchema(inside: Inside): boolean {
  return inside === 'annotation' || isVerbatim(inside);
}

/** Whether a text stays as it is: one that decides what a schema accepts. */
export function isVerbatim(inside: Inside): boolean {
  return inside === 'schema' || inside === 'schemas' || inside === 'constant';
}

/**
 * The surroundings of a result. Where its request is not known, only the content of a form is an object
 * without a type.
 */
export function insideResult(result: unknown, method: string | undefined): Inside {
  const content = isRecord(result) ? result['content'] : undefined;
  const isUntyped = isRecord(content) && typeof content['type'] !== 'string';
  return method === 'elicitation/create' || isUntyped ? 'form' : 'message';
}

/** Containers show their keys, so that a reader sees which fields were filled in. */
function hidden(value: unknown): Shown {
  return typeof value === 'object' && value !== null ? 'hidden' : maskOf(value);
}

/** An empty value contains no secret, and says that there is none. */
export function maskOf(value: unknown): Shown {
  return value === null || value === '' || value === undefined ? 'message' : MASK;
}

/** A message that a model made, among answers to elicitations. */
function isSampled(value: unknown): boolean {
  return isRecord(value) && typeof value['role'] === 'string' && !('action' in value);
}

/** An answer to an elicitation, in a response or among `inputResponses`. */
function isForm(parent: Readonly<Record<string, unknown>>): boolean {
  return typeof parent['action'] === 'string' && !('type' in parent);
}

/** `{ "name": "Authorization", "value": "…" }`, as in lists of headers. */
function isNamedValue(key: string, parent: Readonly<Record<string, unknown>>): boolean {
  if (!/^(?:value|values|val)$/i.test(key)) return false;
  return ['name', 'key', 'header', 'field', 'Name', 'Key'].some((each) => {
    const name = Object.hasOwn(parent, each) ? parent[each] : undefined;
    return typeof name === 'string' && isSecretName(name);
  });
}

/** Bytes in base64, and names of tools such as `npm_install_package`. */
function isPlain(key: string, value: unknown, parent: Readonly<Record<string, unknown>>): boolean {
  if (typeof value !== 'string') return false;
  if (key === 'name') return /^[A-Za-z_./-]{1,128}$/.test(value);
  return (
    /^[\w+/.-]*=*$/.test(value) &&
    ((key === 'data' && typeof parent['mimeType'] === 'string') ||
      (key === 'blob' && typeof parent['uri'] === 'string'))
  );
}

/** A tool or an elicitation, rather than an argument of that name. */
function isSchemaOf(key: string, parent: Readonly<Record<string, unknown>>): boolean {
  const sibling = key === 'requestedSchema' ? 'message' : 'name';
  return typeof parent[sibling] === 'string';
}

/** Whether an element of an array follows the name of a secret: `["Authorization", "…"]`. */
export function followsName(previous: unknown, inside: Inside): boolean {
  return inside === 'message' && typeof previous === 'string' && isSecretName(previous);
}
