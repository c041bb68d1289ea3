import type { Json } from './json.js';

/** What the corpus reads of a schema. Other keywords are left to the oracle. */
export interface Schema {
  readonly $ref?: string;
  readonly type?: string | readonly string[];
  readonly const?: Json;
  readonly enum?: readonly Json[];
  readonly format?: string;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly minItems?: number;
  readonly maxItems?: number;
  readonly items?: Schema | boolean;
  readonly properties?: Readonly<Record<string, Schema | boolean>>;
  readonly additionalProperties?: Schema | boolean;
  readonly required?: readonly string[];
  readonly not?: Schema | boolean;
  readonly propertyNames?: Schema | boolean;
  readonly anyOf?: readonly (Schema | boolean)[];
  readonly oneOf?: readonly (Schema | boolean)[];
  readonly allOf?: readonly (Schema | boolean)[];
}

/** A parsed JSON Schema whose definitions are under `definitions` (draft-07) or `$defs` (2020-12). */
export interface SchemaDocument {
  readonly $schema?: string;
  readonly definitions?: Readonly<Record<string, Schema>>;
  readonly $defs?: Readonly<Record<string, Schema>>;
}

export const sectionOf = (document: SchemaDocument): '$defs' | 'definitions' =>
  document.$defs === undefined ? 'definitions' : '$defs';

export const definitionsOf = (document: SchemaDocument): Readonly<Record<string, Schema>> =>
  document[sectionOf(document)] ?? {};

/** @throws when there is no such definition. */
export function definitionOf(document: SchemaDocument, name: string): Schema {
  const definitions = definitionsOf(document);
  const schema = Object.hasOwn(definitions, name) ? definitions[name] : undefined;
  if (schema === undefined) throw new Error(`No definition named ${JSON.stringify(name)}`);
  return schema;
}

/** The name in `#/$defs/Name` or `#/definitions/Name`. @throws on any other reference. */
export function referencedName(reference: string): string {
  const name = /^#\/(?:\$defs|definitions)\/([^/]+)$/.exec(reference)?.[1];
  if (name === undefined) throw new Error(`Not a reference to a definition: ${reference}`);
  return decodeURIComponent(name).replaceAll('~1', '/').replaceAll('~0', '~');
}

/** The reference that `referencedName` reads. */
export function referenceTo(document: SchemaDocument, name: string): string {
  const pointer = name.replaceAll('~', '~0').replaceAll('/', '~1');
  return `#/${sectionOf(document)}/${encodeURIComponent(pointer)}`;
}

const annotations = new Set(['$schema', '$id', '$comment', 'title', 'description', 'default']);

/** Whether it accepts everything: absent, `true`, or nothing but annotations. */
export const isOpen = (schema: Schema | boolean | undefined): boolean =>
  schema === undefined ||
  schema === true ||
  (schema !== false && Object.keys(schema).every((keyword) => annotations.has(keyword)));

/** Whether it plainly accepts nothing: `false`, or `not: {}`. */
export const isNever = (schema: Schema | boolean | undefined): boolean =>
  schema === false || (typeof schema === 'object' && 'not' in schema && isOpen(schema.not));
