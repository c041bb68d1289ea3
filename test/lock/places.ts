import type { JsonValue } from '../../json-schema/index.js';

export type Schema = { [key: string]: JsonValue };

/** A place in a schema whose changes change what the whole accepts. */
export interface Place {
  readonly schema: Schema;
  /** Types that other alternatives of the same place accept. */
  readonly taken: readonly string[];
  /** Whether the walk knows which property of which object it is, so that a removed one is noticed. */
  readonly path: string;
}

export const isSchema = (value: unknown): value is Schema =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const schemasIn = (value: JsonValue | undefined): Schema[] =>
  Array.isArray(value) ? value.filter(isSchema) : isSchema(value) ? [value] : [];

/** Keywords that may mask a change elsewhere in the same schema. */
const MASKING = [
  'not',
  'if',
  'dependentSchemas',
  'dependentRequired',
  'dependencies',
  'propertyNames',
];

/** All places of a document, each once; a place below alternatives that may accept the same values is left out. */
export function placesOf(root: Schema): Place[] {
  const found: Place[] = [];
  const seen = new Set<Schema>();

  function visit(schema: Schema, taken: readonly string[], path: string): void {
    if (seen.has(schema) || MASKING.some((keyword) => keyword in schema)) return;
    seen.add(schema);
    const { $ref } = schema;
    if (typeof $ref === 'string') {
      const target = targetOf(root, $ref);
      // Keywords beside a reference apply as well, and two users of a definition may differ in what masks.
      if (target && Object.keys(schema).every((key) => QUIET.has(key))) visit(target, taken, path);
      return;
    }
    found.push({ schema, taken, path });
    if (isSchema(schema['properties'])) {
      for (const [name, each] of Object.entries(schema['properties']))
        if (isSchema(each)) visit(each, [], `${path}/${name}`);
    }
    for (const key of ['items', 'additionalProperties'])
      for (const each of schemasIn(schema[key])) visit(each, [], `${path}/*`);
    for (const each of schemasIn(schema['prefixItems'])) visit(each, [], `${path}/*`);
    // What stands beside `allOf` may refuse another type.
    for (const each of schemasIn(schema['allOf'])) visit(each, ALL_TYPES, path);
    for (const key of ['anyOf', 'oneOf']) {
      const members = schemasIn(schema[key]);
      const types = members.map((member) => typesOf(member, root));
      members.forEach((member, index) => {
        const others = types.filter((_, at) => at !== index).flat();
        const own = types[index] ?? [];
        if (!others.includes('?') && own.every((type) => type !== '?' && !others.includes(type)))
          visit(member, [...taken, ...others], path);
      });
    }
  }

  visit(root, [], '');
  return found;
}

const ALL_TYPES = ['null', 'boolean', 'string', 'number', 'array', 'object'];

const QUIET = new Set(['$ref', 'description', 'title', '$defs', 'definitions', '$schema', 'type']);

function targetOf(root: Schema, ref: string): Schema | undefined {
  const keys = ref
    .replace(/^#\/?/, '')
    .split('/')
    .filter((key) => key !== '');
  let at: JsonValue | undefined = root;
  for (const key of keys) at = isSchema(at) ? at[key] : undefined;
  return isSchema(at) ? at : undefined;
}

/** The types that a schema may accept; `?` when that is unclear. */
function typesOf(schema: Schema, root: Schema): string[] {
  const { type, $ref, enum: listed, const: constant } = schema;
  if (typeof $ref === 'string') {
    const target = targetOf(root, $ref);
    return target ? typesOf(target, root) : ['?'];
  }
  const types = Array.isArray(type) ? (type as string[]) : typeof type === 'string' ? [type] : [];
  if (types.length > 0) return types.map((each) => (each === 'integer' ? 'number' : each));
  const values = Array.isArray(listed) ? listed : constant === undefined ? [] : [constant];
  const isText = values.length > 0 && values.every((value) => typeof value === 'string');
  return isText ? ['string'] : ['?'];
}
