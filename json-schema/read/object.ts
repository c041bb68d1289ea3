import { quote } from '../text.js';
import type { Additional, JsonValue, Node, ObjectNode, Property } from '../model.js';
import { jsonPointer } from '../pointer.js';
import { isObject } from '../json.js';
import { entered } from './reader.js';
import type { At, Reader } from './reader.js';
import type { SchemaProblem } from './report.js';
import { GROUPS } from './keywords.js';
import type { Values } from './values.js';

/** The objects of a schema. */
export function objectNode(own: Values, at: At, reader: Reader): Node {
  if (!own.speaksOf(GROUPS.object)) return presence([]);
  const patterns = patternsOf(own, at, reader);
  // Without additionalProperties nothing describes the keys, which unevaluatedProperties around this may do.
  const isRecord = own.has('additionalProperties') && !own.has('properties');
  const names =
    isRecord && patterns.length === 0 ? listedNames(own.value('propertyNames')) : undefined;
  if (names) return listedObject(names, own, at, reader);
  const written = Object.keys((own.value('properties') ?? {}) as object);
  const required = new Set(own.value('required') as string[] | undefined);
  noteNames(written, required, at, reader);
  const properties: Property[] = [];
  for (const name of written) {
    properties.push({
      name,
      required: required.delete(name),
      node: reader.below(at, 'properties', name),
      pointer: `${at.place.pointer}/properties${jsonPointer([name])}`,
    });
  }
  const additional = additionalOf(own, at, reader, required.size > 0);
  for (const name of required) {
    properties.push(unlistedProperty(name, patterns.length > 0 ? UNSAID : additional));
  }
  return {
    kind: 'object',
    properties,
    additional,
    hasProperties: own.has('properties'),
    ...(patterns.length > 0 && { patterns }),
    ...(own.has('propertyNames') && namesOf(reader.below(at, 'propertyNames'))),
    ...own.numbers('minProperties', 'maxProperties'),
  };
}

/** Names that a type cannot have as they are written, because every object inherits them. */
function noteNames(
  written: readonly string[],
  required: ReadonlySet<string>,
  { place }: At,
  { report }: Reader,
): void {
  for (const name of written) {
    if (name === '__proto__') report(PROTO, place, 'properties', name);
    else if (name in Object.prototype && !required.has(name))
      report(inherited(name), place, 'properties', name);
  }
}

const inherited = (name: string): SchemaProblem => ({
  code: 'bad-name',
  message: `The type of the property ${quote(name)} is unknown, because every object inherits one of that name.`,
  help: 'Require the property, or rename it.',
  harmless: true,
});

const PROTO: SchemaProblem = {
  code: 'bad-name',
  message: 'The type leaves out the property "__proto__", because that is the prototype.',
  help: 'Rename the property.',
  harmless: true,
};

const UNSAID: Additional = { kind: 'unsaid' };

/** An object that has these keys, and any others. */
export function presence(names: readonly string[]): ObjectNode {
  return {
    kind: 'object',
    properties: names.map((name) => unlistedProperty(name, UNSAID)),
    additional: UNSAID,
    hasProperties: false,
  };
}

/** A key that must be present although `properties` does not name it. */
function unlistedProperty(name: string, additional: Additional): Property {
  return { name, required: true, node: valuesOf(additional), unlisted: true };
}

function valuesOf(additional: Additional): Node {
  if (additional.kind === 'typed') return additional.node;
  return { kind: additional.kind === 'closed' ? 'never' : 'any' };
}

function patternsOf(own: Values, at: At, reader: Reader): NonNullable<ObjectNode['patterns']> {
  const written = own.value('patternProperties');
  if (!isObject(written)) return [];
  return Object.keys(written).map((text) => {
    const pattern = own.pattern(text, 'patternProperties', text);
    // A rule for all keys that asks nothing, so that no key is refused that the pattern might match.
    if (pattern === undefined) return { pattern: '', node: { kind: 'any' } };
    return { pattern, node: reader.below(at, 'patternProperties', text) };
  });
}

/** A schema that stands for several properties is a definition, because nested ones would double each time. */
function additionalOf(own: Values, at: At, reader: Reader, isRepeated: boolean): Additional {
  const isUnclear = own.lost('properties') || own.lost('patternProperties');
  if (isUnclear || !own.has('additionalProperties')) return UNSAID;
  const node =
    isRepeated && describesKeys(own.value('additionalProperties'))
      ? reader.refer(below(at, 'additionalProperties', reader))
      : reader.below(at, 'additionalProperties');
  if (node.kind === 'any') return { kind: 'open' };
  if (node.kind === 'never') return { kind: 'closed' };
  return { kind: 'typed', node };
}

/** Whether a schema speaks of the keys of objects, and so may repeat schemas itself. */
function describesKeys(value: JsonValue | undefined): boolean {
  if (Array.isArray(value)) return value.some(describesKeys);
  if (!isObject(value)) return false;
  return Object.hasOwn(value, 'additionalProperties') || Object.values(value).some(describesKeys);
}

function below(at: At, name: string, { resources }: Reader): At {
  const place = resources.child(at.place, [name]) ?? at.place;
  return { place, scope: entered(at.scope, place.resource) };
}

/** Every key is a string, so `{ "type": "string" }` says nothing. */
function namesOf(written: Node): Pick<ObjectNode, 'names'> {
  const node = ofTexts(written);
  if (node.kind === 'any') return {};
  const plain = node.kind === 'string' && Object.keys(node).every((key) => PLAIN.has(key));
  return plain ? {} : { names: node };
}

const PLAIN = new Set(['kind', 'description', 'default', 'deprecated']);

/** Leaves out the alternatives that no text matches. A schema without `type` has an alternative for each type. */
function ofTexts(node: Node): Node {
  if (node.kind === 'intersection') return { ...node, members: node.members.map(ofTexts) };
  if (node.kind !== 'union') return node;
  const possible = node.members.map(ofTexts).filter(({ kind }) => !OTHER_TYPES.has(kind));
  const [only, ...more] = possible;
  if (only === undefined) return { kind: 'never' };
  return more.length === 0 ? only : { ...node, members: possible };
}

const OTHER_TYPES: ReadonlySet<Node['kind']> = new Set<Node['kind']>([
  ...(['null', 'boolean', 'number', 'object', 'array', 'constant'] as const),
]);

/** The keys that `propertyNames` lists, if it lists names. */
function listedNames(schema: JsonValue | undefined): string[] | undefined {
  if (!isObject(schema)) return undefined;
  const { type = 'string', description: _, ...list } = schema;
  const [[keyword, listed] = [], ...more] = Object.entries(list);
  if (type !== 'string' || more.length > 0) return undefined;
  if (keyword === 'anyOf' && Array.isArray(listed)) {
    const names = listed.map(listedNames);
    return names.every((each) => each !== undefined) ? names.flat() : undefined;
  }
  if (keyword === 'enum' && Array.isArray(listed)) return listed.filter(isName);
  return keyword === 'const' ? [listed].filter(isName) : undefined;
}

const isName = (value: JsonValue | undefined): value is string => typeof value === 'string';

/** An object with only these keys, whose values match `additionalProperties`. */
function listedObject(names: readonly string[], own: Values, at: At, reader: Reader): ObjectNode {
  const required = new Set(own.value('required') as string[] | undefined);
  const others = additionalOf(own, at, reader, names.length > 1);
  const node = valuesOf(others);
  const listed = [...new Set(names)].map((name): Property => ({
    name,
    required: required.has(name),
    node,
  }));
  const impossible = [...required]
    .filter((name) => !names.includes(name))
    .map((name) => unlistedProperty(name, { kind: 'closed' }));
  return {
    kind: 'object',
    properties: [...listed, ...impossible],
    additional: { kind: 'closed' },
    hasProperties: true,
    ...own.numbers('minProperties', 'maxProperties'),
  };
}
