import { typesOf } from './alternatives.js';
import { definitionOf, isNever, isOpen, referencedName, sectionOf } from './document.js';
import type { Schema, SchemaDocument } from './document.js';
import { replaceAt } from './json.js';
import type { Json, Path } from './json.js';

/** A definition with one rule got wrong, as a faulty emitter might. */
export interface Breakage {
  /** Where in the definition the schema with the broken rule stands. */
  readonly path: Path;
  /** What was done to it: `drop type`, `require title`. */
  readonly rule: string;
  readonly broken: Schema;
}

/** The changed schema for each rule. */
type Changes = Iterable<readonly [rule: string, changed: object]>;

const jsonTypes = ['null', 'boolean', 'number', 'string', 'array', 'object'];

const droppable = [
  '$ref',
  'type',
  'const',
  'enum',
  'format',
  'minimum',
  'maximum',
  'minItems',
  'maxItems',
  'items',
  'properties',
  'additionalProperties',
  'propertyNames',
  'required',
  'not',
  'anyOf',
  'allOf',
] as const;

/** Every way to loosen or tighten one rule of a definition; what its references say is left alone. */
export function* breakagesOf(document: SchemaDocument, definition: Schema): Iterable<Breakage> {
  for (const [path, schema] of schemasIn(definition, [])) {
    for (const [rule, changed] of changesTo(document, schema)) {
      const broken = replaceAt(definition as Json, path, changed as Json) as Schema;
      yield { path, rule, broken };
    }
  }
}

function* schemasIn(schema: Schema, path: Path): Iterable<readonly [Path, Schema]> {
  yield [path, schema];
  for (const keyword of ['items', 'additionalProperties', 'propertyNames'] as const) {
    const child = schema[keyword];
    if (typeof child === 'object' && constrains(schema, keyword))
      yield* schemasIn(child, [...path, keyword]);
  }
  for (const keyword of ['properties', 'anyOf', 'allOf'] as const) {
    for (const [step, child] of Object.entries(schema[keyword] ?? {})) {
      if (typeof child === 'object') yield* schemasIn(child, [...path, keyword, step]);
    }
  }
}

function* changesTo(document: SchemaDocument, schema: Schema): Changes {
  for (const keyword of droppable) {
    if (constrains(schema, keyword)) yield [`drop ${keyword}`, without(schema, keyword)];
  }
  yield* literalChanges(schema);
  yield* typeChanges(schema);
  yield* boundChanges(schema);
  yield* memberChanges(schema);
  yield* itemChanges(document, schema);
  yield* branchChanges(schema);
  if (schema.$ref !== undefined) yield* referenceChanges(document, schema.$ref);
}

const without = (schema: Schema, keyword: keyof Schema): Schema =>
  Object.fromEntries(Object.entries(schema).filter(([name]) => name !== keyword));

/** Whether the keyword refuses anything that the rest of the schema does not. */
function constrains(schema: Schema, keyword: keyof Schema): boolean {
  switch (keyword) {
    case 'type':
      return schema.type !== undefined && !isLiteral(schema);
    case 'additionalProperties':
      return !isOpen(schema.additionalProperties);
    case 'properties':
      return Object.values(schema.properties ?? {}).some((member) => !isOpen(member));
    case 'propertyNames':
      // Names are always texts.
      return schema.propertyNames !== undefined && !isText(schema.propertyNames);
    default:
      return keyword in schema;
  }
}

const isLiteral = (schema: Schema): boolean => 'const' in schema || 'enum' in schema;

const isText = (schema: Schema | boolean): boolean =>
  typeof schema === 'object' && schema.type === 'string' && Object.keys(schema).length === 1;

function* literalChanges(schema: Schema): Changes {
  const { const: literal, enum: members = [] } = schema;
  if (literal !== undefined) {
    yield ['another const', { ...schema, const: typeof literal === 'number' ? literal + 1 : 'x' }];
  }
  for (const member of members) {
    const others = members.filter((one) => one !== member);
    yield [`drop ${JSON.stringify(member)}`, { ...schema, enum: others }];
  }
  const literals = literal === undefined ? members : [literal];
  for (const member of literals) {
    if (typeof member !== 'string' || member === member.toUpperCase()) continue;
    const listed = { ...without(schema, 'const'), enum: [...literals, member.toUpperCase()] };
    yield [`shout ${JSON.stringify(member)}`, listed];
  }
}

function* typeChanges(schema: Schema): Changes {
  const types = typesOf(schema) ?? [];
  for (const type of types.length > 1 ? types : []) {
    yield [`drop type ${type}`, { ...schema, type: types.filter((one) => one !== type) }];
  }
  if (isLiteral(schema)) return;
  if (types.length > 0) {
    for (const type of jsonTypes.filter((one) => !types.includes(one))) {
      yield [`allow type ${type}`, { ...schema, type: [...types, type] }];
    }
  }
  if (types.includes('number')) yield ['integers only', { allOf: [schema, { multipleOf: 1 }] }];
  if (types.includes('integer')) {
    yield ['safe integers only', { ...schema, maximum: Number.MAX_SAFE_INTEGER - 1 }];
  }
  if (types.includes('string')) yield ['no empty text', { ...schema, minLength: 1 }];
}

function* boundChanges(schema: Schema): Changes {
  for (const keyword of ['minimum', 'maximum', 'minItems', 'maxItems'] as const) {
    const bound = schema[keyword];
    if (bound === undefined) continue;
    for (const moved of [bound - 1, bound + 1]) {
      // The largest safe integers have no neighbours on one side, and zero items none below.
      if (moved !== bound) yield [`${keyword} ${moved}`, { ...schema, [keyword]: moved }];
    }
  }
  if (schema.minimum !== undefined) {
    yield ['exclusive minimum', { ...schema, exclusiveMinimum: schema.minimum }];
  }
  if (schema.maximum !== undefined) {
    yield ['exclusive maximum', { ...schema, exclusiveMaximum: schema.maximum }];
  }
}

function* memberChanges(schema: Schema): Changes {
  const { properties = {}, required = [], additionalProperties } = schema;
  for (const key of required) {
    yield [`optional ${key}`, { ...schema, required: required.filter((one) => one !== key) }];
  }
  for (const [key, member] of Object.entries(properties)) {
    const others = Object.entries(properties).filter(([name]) => name !== key);
    if (!isOpen(member)) {
      yield [`drop member ${key}`, { ...schema, properties: Object.fromEntries(others) }];
    }
    if (!required.includes(key))
      yield [`require ${key}`, { ...schema, required: [...required, key] }];
  }
  if (!typesOf(schema)?.includes('object')) return;
  yield ['no empty object', { ...schema, minProperties: required.length + 1 }];
  if (!isNever(additionalProperties)) yield ['closed', { ...schema, additionalProperties: false }];
  if (!isOpen(additionalProperties)) {
    yield ['blind to __proto__', { ...schema, patternProperties: { '^__proto__$': true } }];
  }
}

function* itemChanges(document: SchemaDocument, schema: Schema): Changes {
  if (!typesOf(schema)?.includes('array')) return;
  const count = schema.minItems ?? 0;
  yield ['more items', { ...schema, minItems: count + 1 }];
  yield ['one item', { ...schema, maxItems: 1 }];
  yield ['no item twice', { ...schema, uniqueItems: true }];
  if (isOpen(schema.items)) return;
  const tuple = sectionOf(document) === '$defs' ? 'prefixItems' : 'items';
  yield ['first item only', { ...without(schema, 'items'), [tuple]: [schema.items] }];
}

function* branchChanges(schema: Schema): Changes {
  for (const keyword of ['anyOf', 'allOf'] as const) {
    const branches = schema[keyword] ?? [];
    for (const [index, branch] of branches.entries()) {
      const name = typeof branch === 'object' ? (branch.$ref ?? String(index)) : String(index);
      const others = branches.filter((_, other) => other !== index);
      // An empty list is no schema; the whole keyword is dropped elsewhere.
      if (others.length > 0) yield [`drop ${keyword} ${name}`, { ...schema, [keyword]: others }];
    }
  }
}

/** The reference kept in name only: whatever the definition asks beyond its type is forgotten. */
function* referenceChanges(document: SchemaDocument, reference: string): Changes {
  const { type, ...rest } = definitionOf(document, referencedName(reference));
  if (type !== undefined && !isOpen(rest)) yield ['referred type only', { type }];
}
