/**
 * Which schemas are checked in this thread: those whose cost is at most their size times the size of the
 * value. Everything else, and everything unknown, goes to a worker thread that can be ended.
 */

/** Nodes of a schema, and of a value, that are still small. */
const MOST_SCHEMA_NODES = 500;
const MOST_VALUE_NODES = 20_000;
/** Every node of a value may be wrong by every node of the schema, and each is an error with its text. */
const MOST_PRODUCT = 200_000;
const DEEPEST = 32;

/** Keywords whose values are no schemas, and whose checks take linear time. */
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
/** Formats that are checked without backtracking. */
const FORMATS: ReadonlySet<unknown> = new Set(['date', 'date-time', 'time', 'uuid']);

/** Whether checking the value costs little, even when a hostile server wrote the schema. */
export function isTame(schema: unknown, value: unknown): boolean {
  const ofSchema = { nodes: MOST_SCHEMA_NODES };
  const ofValue = { nodes: MOST_VALUE_NODES };
  if (!isTameSchema(schema, ofSchema, 0) || !isSmall(value, ofValue, 0)) return false;
  const product = (MOST_SCHEMA_NODES - ofSchema.nodes) * (MOST_VALUE_NODES - ofValue.nodes);
  return product <= MOST_PRODUCT;
}

interface Budget {
  nodes: number;
}

function isTameSchema(schema: unknown, left: Budget, depth: number): boolean {
  left.nodes -= 1;
  if (left.nodes < 0 || depth > DEEPEST) return false;
  if (typeof schema === 'boolean') return true;
  if (typeof schema !== 'object' || schema === null || Array.isArray(schema)) return false;
  return Object.entries(schema).every(([keyword, value]: [string, unknown]) => {
    if (PLAIN.has(keyword)) return isSmall(value, left, depth);
    if (ONE_SCHEMA.has(keyword)) return isTameSchema(value, left, depth + 1);
    if (SCHEMA_LISTS.has(keyword)) {
      return Array.isArray(value) && value.every((each) => isTameSchema(each, left, depth + 1));
    }
    if (keyword === 'properties') {
      if (typeof value !== 'object' || value === null) return false;
      return Object.values(value).every((each) => isTameSchema(each, left, depth + 1));
    }
    if (keyword === 'enum')
      return Array.isArray(value) && value.every((each) => isPlain(each, left));
    if (keyword === 'const') return isPlain(value, left);
    return keyword === 'format' && FORMATS.has(value);
  });
}

/** Comparing objects takes their size, for each. */
function isPlain(value: unknown, left: Budget): boolean {
  left.nodes -= 1;
  return left.nodes >= 0 && (typeof value !== 'object' || value === null);
}

function isSmall(value: unknown, left: Budget, depth: number): boolean {
  left.nodes -= 1;
  if (left.nodes < 0 || depth > DEEPEST) return false;
  if (typeof value === 'string') return (left.nodes -= value.length >> 6) >= 0;
  if (typeof value !== 'object' || value === null) return true;
  const entries: unknown[] = Array.isArray(value) ? value : Object.values(value);
  return entries.every((each) => isSmall(each, left, depth + 1));
}
