/**
 * Decides which schemas are checked in the calling thread: those whose cost is at most their size times
 * the size of the value. Other schemas, and unknown keywords, go to a worker thread, which can be ended.
 */

const MAX_SCHEMA_NODES = 500;
const MAX_VALUE_NODES = 20_000;
/** Each node of the value may violate each node of the schema, and each violation is an error text. */
const MAX_PRODUCT = 200_000;
const MAX_DEPTH = 32;

/** Keywords that contain no schema and are checked in linear time. */
const PLAIN: ReadonlySet<string> = new Set([
  '$schema',
  '$comment',
  'default',
  'deprecated',
  'description',
  'examples',
  'exclusiveMaximum',
  'exclusiveMinimum',
  'maximum',
  'maxItems',
  'maxLength',
  'maxProperties',
  'minimum',
  'minItems',
  'minLength',
  'minProperties',
  'multipleOf',
  'readOnly',
  'required',
  'title',
  'type',
  'writeOnly',
]);
const ONE_SCHEMA: ReadonlySet<string> = new Set(['additionalProperties', 'items', 'not']);
const SCHEMA_LISTS: ReadonlySet<string> = new Set(['allOf', 'anyOf', 'oneOf', 'prefixItems']);
/** Formats whose checks do not backtrack. */
const FORMATS: ReadonlySet<unknown> = new Set(['date', 'date-time', 'time', 'uuid']);

/** Whether checking the value is cheap, even when a hostile server wrote the schema. */
export function isCheapCheck(schema: unknown, value: unknown): boolean {
  const ofSchema = { nodes: MAX_SCHEMA_NODES };
  const ofValue = { nodes: MAX_VALUE_NODES };
  if (!isCheapSchema(schema, ofSchema, 0) || !isSmall(value, ofValue, 0)) return false;
  const product = (MAX_SCHEMA_NODES - ofSchema.nodes) * (MAX_VALUE_NODES - ofValue.nodes);
  return product <= MAX_PRODUCT;
}

interface Budget {
  nodes: number;
}

function isCheapSchema(schema: unknown, left: Budget, depth: number): boolean {
  left.nodes -= 1;
  if (left.nodes < 0 || depth > MAX_DEPTH) return false;
  if (typeof schema === 'boolean') return true;
  if (typeof schema !== 'object' || schema === null || Array.isArray(schema)) return false;
  return Object.entries(schema).every(([keyword, value]: [string, unknown]) => {
    if (PLAIN.has(keyword)) return isSmall(value, left, depth);
    if (ONE_SCHEMA.has(keyword)) return isCheapSchema(value, left, depth + 1);
    if (SCHEMA_LISTS.has(keyword)) {
      return Array.isArray(value) && value.every((each) => isCheapSchema(each, left, depth + 1));
    }
    if (keyword === 'properties') {
      if (typeof value !== 'object' || value === null) return false;
      return Object.values(value).every((each) => isCheapSchema(each, left, depth + 1));
    }
    if (keyword === 'enum')
      return Array.isArray(value) && value.every((each) => isPlain(each, left));
    if (keyword === 'const') return isPlain(value, left);
    return keyword === 'format' && FORMATS.has(value);
  });
}

/** A primitive: comparing two objects would cost as much as their size. */
function isPlain(value: unknown, left: Budget): boolean {
  left.nodes -= 1;
  return left.nodes >= 0 && (typeof value !== 'object' || value === null);
}

function isSmall(value: unknown, left: Budget, depth: number): boolean {
  left.nodes -= 1;
  if (left.nodes < 0 || depth > MAX_DEPTH) return false;
  if (typeof value === 'string') return (left.nodes -= value.length >> 6) >= 0;
  if (typeof value !== 'object' || value === null) return true;
  const entries: unknown[] = Array.isArray(value) ? value : Object.values(value);
  return entries.every((each) => isSmall(each, left, depth + 1));
}
