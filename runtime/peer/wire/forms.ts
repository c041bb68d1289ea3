import type { JsonObject } from '../../tasks/index.js';
import { isObject, member } from './json.js';

/**
 * What is wrong with the content of an accepted form, by the `requestedSchema` of its question.
 *
 * Checks what the protocol's form schema has: text, numbers, booleans, choices of one and of several.
 * Fields that the schema does not name are allowed. The text contains fields of the schema and never a
 * value, because it is logged and users type passwords.
 */
export function formProblem(requestedSchema: unknown, content: unknown): string | undefined {
  const given = content ?? {};
  if (!isObject(given)) return '/content must be an object';
  const { properties, required } = isObject(requestedSchema) ? requestedSchema : {};
  const wanted: unknown[] = Array.isArray(required) ? required : [];
  const missing = wanted.filter((name) => typeof name === 'string' && !Object.hasOwn(given, name));
  const problems = missing.map((name) => `/content/${String(name)} is missing`);
  for (const [name, schema] of Object.entries(isObject(properties) ? properties : {})) {
    if (!Object.hasOwn(given, name) || !isObject(schema)) continue;
    const expected = unmet(schema, given[name]);
    if (expected !== undefined) problems.push(`/content/${name} must be ${expected}`);
  }
  return problems.length === 0 ? undefined : problems.join('; ');
}

/** The expectation that a value does not meet. */
function unmet(schema: JsonObject, value: unknown): string | undefined {
  switch (schema['type']) {
    case 'string':
      return typeof value === 'string' ? textProblem(schema, value) : 'text';
    case 'number':
      return Number.isFinite(value) ? rangeProblem(schema, value as number) : 'a number';
    case 'integer':
      return Number.isInteger(value) ? rangeProblem(schema, value as number) : 'an integer';
    case 'boolean':
      return typeof value === 'boolean' ? undefined : 'true or false';
    case 'array':
      return Array.isArray(value) ? listProblem(schema, value) : 'a list';
    default:
      return choiceProblem(schema, value);
  }
}

function textProblem(schema: JsonObject, value: string): string | undefined {
  // Code points, because JSON Schema counts these and `length` counts UTF-16 units.
  const length = Array.from(value).length;
  const { minLength, maxLength, format } = schema;
  if (typeof minLength === 'number' && length < minLength) return `at least ${minLength} long`;
  if (typeof maxLength === 'number' && length > maxLength) return `at most ${maxLength} long`;
  if (typeof format === 'string' && Object.hasOwn(FORMATS, format)) {
    const { expected, holds } = FORMATS[format as keyof typeof FORMATS];
    if (!holds(value)) return expected;
  }
  return choiceProblem(schema, value);
}

function rangeProblem(schema: JsonObject, value: number): string | undefined {
  const { minimum, maximum } = schema;
  if (typeof minimum === 'number' && value < minimum) return `at least ${minimum}`;
  if (typeof maximum === 'number' && value > maximum) return `at most ${maximum}`;
  return choiceProblem(schema, value);
}

function listProblem(schema: JsonObject, value: readonly unknown[]): string | undefined {
  const { minItems, maxItems, items } = schema;
  if (typeof minItems === 'number' && value.length < minItems)
    return `at least ${minItems} choices`;
  if (typeof maxItems === 'number' && value.length > maxItems) return `at most ${maxItems} choices`;
  if (!isObject(items)) return undefined;
  const wrong = value.map((item) => unmet(items, item)).find((expected) => expected !== undefined);
  return wrong === undefined ? undefined : `a list, each item of it ${wrong}`;
}

/** Choices are in `enum`, or with titles in `oneOf` and (for several) `anyOf`. */
function choiceProblem(schema: JsonObject, value: unknown): string | undefined {
  for (const name of ['enum', 'oneOf', 'anyOf']) {
    const choices = schema[name];
    if (!Array.isArray(choices)) continue;
    const allowed: unknown[] =
      name === 'enum' ? choices : choices.map((each) => member(each, 'const'));
    if (!allowed.includes(value)) return 'one of the choices';
  }
  return undefined;
}

/** As in HTML: ASCII, with a host name after the at sign. */
const EMAIL =
  /^[\w.!#$%&'*+/=?^`{|}~-]+@[a-z\d](?:[a-z\d-]{0,61}[a-z\d])?(?:\.[a-z\d](?:[a-z\d-]{0,61}[a-z\d])?)*$/i;
const URI = /^[a-z][a-z\d+.-]*:[!#$%&'()*+,\-./\w:;=?@[\]~]*$/i;
const DATE = /^(\d{4})-(\d\d)-(\d\d)$/;
const TIME = /^([01]\d|2[0-3]):[0-5]\d:([0-5]\d|60)(\.\d+)?(z|[+-]([01]\d|2[0-3]):[0-5]\d)$/i;

const FORMATS = {
  email: { expected: 'an e-mail address', holds: (text: string) => EMAIL.test(text) },
  uri: { expected: 'a URI', holds: (text: string) => URI.test(text) && URL.canParse(text) },
  date: { expected: 'a date (YYYY-MM-DD)', holds: isDate },
  'date-time': {
    expected: 'a date and time (RFC 3339)',
    holds: (text: string) =>
      isDate(text.slice(0, 10)) && /^t$/i.test(text.charAt(10)) && TIME.test(text.slice(11)),
  },
} as const;

function isDate(text: string): boolean {
  const [, year, month, day] = DATE.exec(text) ?? [];
  if (year === undefined) return false;
  const date = new Date(`${text}T00:00:00Z`);
  return date.getUTCMonth() + 1 === Number(month) && date.getUTCDate() === Number(day);
}
