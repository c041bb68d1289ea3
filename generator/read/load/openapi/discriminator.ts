/**
 * Writes what an OpenAPI `discriminator` means as JSON Schema: each alternative of a union, and each schema that extends a
 * base, gets its values of the tag as an `enum`.
 */

import { fragmentParts, jsonPointer, valueAt } from '../../../../json-schema/pointer.js';
import { isObject } from '../../../../json-schema/json.js';
import { quote } from '../../../../json-schema/text.js';
import type { JsonValue } from '../../../../json-schema/index.js';
import type { Diagnostic } from '../../../diagnostics/index.js';
import { stemOf } from '../stem.js';
import type { JsonObject, Schema, Workpiece } from './workpiece.js';
import { inPlace, targetOf } from './workpiece.js';

interface Discriminator {
  readonly tag: string;
  /** Pairs of a value and the reference of its schema. */
  readonly mapping: readonly (readonly [value: string, target: string])[];
}

const UNIONS = ['oneOf', 'anyOf'] as const;

/** Values of tags in the schemas that extend others, because each has those of all that extend it in turn. */
const MOST_VALUES = 100_000;

export function writeTags(piece: Workpiece): void {
  const found = piece.schemas.flatMap((at) => {
    const discriminator = discriminatorOf(at.schema, piece);
    return discriminator ? [{ at, discriminator }] : [];
  });
  const parents = parentsIn(piece);
  const children = childrenOf(parents);
  for (const { at } of found) openCircle(at, parents, children, piece);
  const family: Family = {
    mapped: mappedBy(found.map(({ discriminator }) => discriminator)),
    children: childrenOf(parentsIn(piece)),
    left: MOST_VALUES,
  };
  for (const { at, discriminator } of found) {
    if (!isUnion(at.schema)) writeChildren(at, discriminator, family, piece);
  }
  for (const { at, discriminator } of found) {
    if (isUnion(at.schema)) writeMembers(at, discriminator, piece);
  }
}

function discriminatorOf(schema: JsonObject, piece: Workpiece): Discriminator | undefined {
  const written = schema['discriminator'];
  // In 2.0 it is the name of the property.
  if (typeof written === 'string') return { tag: written, mapping: [] };
  const { propertyName: tag, mapping } = isObject(written) ? written : {};
  if (typeof tag !== 'string') return undefined;
  const pairs = Object.entries(isObject(mapping) ? mapping : {});
  return {
    tag,
    mapping: pairs.flatMap(([value, target]) =>
      typeof target === 'string' ? [[value, targetNamed(target, piece)] as const] : [],
    ),
  };
}

/** The reference that a mapping means: some give the name of a schema alone. */
function targetNamed(written: string, { document, container }: Workpiece): string {
  const isName = valueAt(document, [...container, written]) !== undefined;
  const keys = isName ? [...container, written] : fragmentParts(written);
  return isName || written.startsWith('#') ? `#${jsonPointer(keys)}` : written;
}

const isUnion = (schema: JsonObject): boolean => UNIONS.some((name) => Array.isArray(schema[name]));

/** The alternatives of a union get their tags. */
function writeMembers(
  { schema, path }: Schema,
  discriminator: Discriminator,
  piece: Workpiece,
): void {
  const targets = new Set<string>();
  for (const keyword of UNIONS) {
    const members = schema[keyword];
    if (!Array.isArray(members)) continue;
    schema[keyword] = members.map((member, index) => {
      const target = targetOf(member);
      if (target === undefined) return member;
      targets.add(target);
      const values = valuesFor(target, discriminator);
      // A union of its own has tags of its own.
      if (values.length === 0 && inPlace(member, piece).some(isUnion)) return member;
      const named = values.length > 0 ? values : [nameOf(target)];
      const part = tagPart(member, discriminator.tag, named, piece);
      if (part === undefined) return member;
      const place = [...path, keyword, String(index)];
      piece.moved.set(jsonPointer([...place, 'allOf', '0']), jsonPointer(place));
      return { allOf: [member, part] };
    });
  }
  noteStrays(discriminator, targets, path, piece);
}

interface Family {
  /** The values that any mapping gives a schema, by tag and by reference. */
  readonly mapped: ReadonlyMap<string, ReadonlyMap<string, readonly string[]>>;
  /** The schemas that extend each schema directly. */
  readonly children: Relations;
  /** How many more values may be written. */
  left: number;
}

/** The schemas that extend a base by `allOf` get their tags, and those of the schemas that extend them. */
function writeChildren(
  { path }: Schema,
  discriminator: Discriminator,
  family: Family,
  piece: Workpiece,
): void {
  const base = `#${jsonPointer(path)}`;
  const { tag } = discriminator;
  const extending = reached([base], family.children);
  noteStrays(discriminator, extending, path, piece);
  const namesOf = (target: string): readonly string[] => {
    const own = valuesFor(target, discriminator);
    if (own.length > 0) return own;
    return family.mapped.get(tag)?.get(target) ?? [nameOf(target)];
  };
  for (const child of family.left < 0 ? [] : extending) {
    const schema = valueAt(piece.document, fragmentParts(child));
    if (child === base || !isObject(schema) || !Array.isArray(schema['allOf'])) continue;
    const names = new Set([...reached([child], family.children)].flatMap(namesOf));
    family.left -= names.size;
    if (family.left < 0) {
      const message = `Some schemas that extend ${quote(nameOf(base))} get no literals as ${quote(tag)}, because there are too many.`;
      warn(piece, message, path);
      return;
    }
    const part = tagPart(schema, tag, [...names], piece);
    if (part !== undefined) schema['allOf'].push(part);
  }
}

function mappedBy(all: readonly Discriminator[]): Family['mapped'] {
  const mapped = new Map<string, Map<string, string[]>>();
  for (const { tag, mapping } of all) {
    const targets = mapped.get(tag) ?? new Map<string, string[]>();
    mapped.set(tag, targets);
    for (const [value, target] of mapping) {
      targets.set(target, [...(targets.get(target) ?? []), value]);
    }
  }
  return mapped;
}

type Relations = ReadonlyMap<string, readonly string[]>;

/** The schemas that each named schema extends. */
function parentsIn({ document, container }: Workpiece): Relations {
  const schemas = Object.entries((valueAt(document, container) ?? {}) as JsonObject);
  return new Map(
    schemas.map(([name, schema]) => {
      const parts = isObject(schema) && Array.isArray(schema['allOf']) ? schema['allOf'] : [];
      const targets = parts.map(targetOf).filter((target) => target !== undefined);
      return [`#${jsonPointer([...container, name])}`, targets];
    }),
  );
}

function childrenOf(parents: Relations): Relations {
  const children = new Map<string, string[]>();
  for (const [child, each] of parents) {
    for (const parent of each) {
      const known = children.get(parent);
      if (known) known.push(child);
      else children.set(parent, [child]);
    }
  }
  return children;
}

/** What relations lead to, the starts included. */
function reached(starts: readonly string[], relations: Relations): Set<string> {
  const found = new Set(starts);
  // Adding to the set makes the loop longer.
  for (const each of found) for (const next of relations.get(each) ?? []) found.add(next);
  return found;
}

/**
 * A union whose alternatives extend it refers to itself. Its alternatives extend what else it says, because a schema that
 * extends another is not meant to be one of its alternatives.
 */
function openCircle(
  { schema, path }: Schema,
  parents: Relations,
  children: Relations,
  piece: Workpiece,
): void {
  const union = `#${jsonPointer(path)}`;
  const members = UNIONS.flatMap((name) => {
    const list = schema[name];
    return Array.isArray(list) ? list.map(targetOf).filter((each) => each !== undefined) : [];
  });
  if (members.length === 0) return;
  const line = reached(members, parents);
  // One that extends others could be a part of itself.
  if (!line.has(union) || schema['allOf'] !== undefined) return;
  const { oneOf: _, anyOf: __, discriminator: ___, ...rest } = schema;
  for (const each of children.get(union) ?? []) {
    if (!line.has(each)) continue;
    const list = valueAt(piece.document, [...fragmentParts(each), 'allOf']);
    if (!Array.isArray(list)) continue;
    list.forEach((part, index) => {
      if (targetOf(part) !== union) return;
      list[index] = rest;
      piece.moved.set(jsonPointer([...fragmentParts(each), 'allOf', index]), jsonPointer(path));
    });
  }
}

/** What a schema has to say besides, so that its tag is one of these values; undefined when it says so, or says another. */
function tagPart(
  schema: JsonValue,
  tag: string,
  written: readonly string[],
  piece: Workpiece,
): JsonObject | undefined {
  const parts = inPlace(schema, piece);
  if (parts.some(({ type }) => type !== undefined && ![type].flat().includes('object')))
    return undefined;
  const declared = parts.flatMap((part) => {
    const property = valueAt(part, ['properties', tag]);
    return property === undefined ? [] : [inPlace(property, piece)];
  });
  const types = declared.flat().flatMap(({ type }) => type ?? []);
  const values = written.map((value) => typedValue(value, types));
  const lists = declared.flat().flatMap(({ const: one, enum: list }) => {
    if (one !== undefined) return [new Set([one])];
    return Array.isArray(list) ? [new Set(list)] : [];
  });
  const allowed = values.filter((value) => lists.every((list) => list.has(value)));
  if (allowed.length === 0) return undefined;
  const isRequired = parts.some(
    ({ required }) => Array.isArray(required) && required.includes(tag),
  );
  // Every allowed value is in each list.
  const isSaid = lists.some(({ size }) => size === new Set(allowed).size);
  if (isRequired && isSaid) return undefined;
  const properties = Object.fromEntries([[tag, { enum: allowed }]]);
  return { type: 'object', required: [tag], properties };
}

/** Keys of a mapping are texts, also for tags that are numbers. */
function typedValue(text: string, types: readonly JsonValue[]): JsonValue {
  if (types.length === 0 || types.includes('string')) return text;
  const isNumber = types.includes('integer') || types.includes('number');
  if (isNumber && text.trim() !== '' && Number.isFinite(Number(text))) return Number(text);
  return types.includes('boolean') && /^(?:true|false)$/.test(text) ? text === 'true' : text;
}

const valuesFor = (target: string, { mapping }: Discriminator): string[] =>
  mapping.flatMap(([value, to]) => (to === target ? [value] : []));

/** `#/components/schemas/Dog` → `Dog`; `./dog.json` → `dog`. */
function nameOf(target: string): string {
  const [file = '', pointer = ''] = target.split('#');
  return fragmentParts(pointer).at(-1) ?? stemOf(file);
}

/** A mapping that leads to no alternative is mistyped, or the alternative is missing. */
function noteStrays(
  { mapping }: Discriminator,
  known: ReadonlySet<string>,
  path: readonly string[],
  piece: Workpiece,
): void {
  for (const [value, target] of mapping) {
    if (known.has(target)) continue;
    const message = `The mapping of ${quote(value)} changes nothing, because no alternative is ${quote(target)}.`;
    warn(piece, message, [...path, 'discriminator', 'mapping', value]);
  }
}

function warn({ diagnostics }: Workpiece, message: string, path: readonly string[]): void {
  const warning = { code: 'unsupported-keyword', severity: 'warning' } as const;
  diagnostics.push({ ...warning, message, pointer: jsonPointer(path) } satisfies Diagnostic);
}
