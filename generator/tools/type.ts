import type { JsonPrimitive } from '../ir/index.js';

/** A TypeScript type as data, with the kinds that tool schemas need. */
export type Type =
  | { readonly kind: 'unknown' | 'never' | 'undefined' }
  | { readonly kind: 'null' | 'boolean' | 'number' | 'string' }
  | { readonly kind: 'literal'; readonly value: JsonPrimitive }
  | { readonly kind: 'array'; readonly items: Type }
  | TupleType
  | ObjectType
  | { readonly kind: 'union' | 'intersection'; readonly members: readonly Type[] }
  | { readonly kind: 'ref'; readonly name: string };

export interface TupleType {
  readonly kind: 'tuple';
  readonly items: readonly Type[];
  /** The number of required items. */
  readonly required: number;
  /** The type of further items. */
  readonly rest?: Type;
}

export interface ObjectType {
  readonly kind: 'object';
  readonly properties: readonly PropertyType[];
  /** The type of all keys' values, including the named ones; absent without an index signature. */
  readonly index?: Type;
}

export interface PropertyType {
  readonly name: string;
  readonly required: boolean;
  readonly type: Type;
  /** Untrusted text. */
  readonly description?: string;
  readonly deprecated: boolean;
}

export const UNKNOWN: Type = { kind: 'unknown' };
export const NEVER: Type = { kind: 'never' };
/** Any object; also the type of an object without known properties. */
export const ANY_OBJECT: Type = { kind: 'object', properties: [], index: UNKNOWN };

/** A union, simplified. */
export function union(members: readonly Type[]): Type {
  const flat = distinct(members.flatMap((each) => (each.kind === 'union' ? each.members : each)));
  if (flat.some(({ kind }) => kind === 'unknown')) return UNKNOWN;
  const possible = flat.filter(({ kind }) => kind !== 'never');
  return one('union', possible) ?? NEVER;
}

/** An intersection, simplified. */
export function intersection(members: readonly Type[]): Type {
  const flat = distinct(
    members.flatMap((each) => (each.kind === 'intersection' ? each.members : each)),
  );
  if (flat.some(({ kind }) => kind === 'never')) return NEVER;
  const telling = flat.filter(({ kind }) => kind !== 'unknown');
  return one('intersection', telling) ?? UNKNOWN;
}

function one(kind: 'union' | 'intersection', members: readonly Type[]): Type | undefined {
  return members.length > 1 ? { kind, members } : members[0];
}

function distinct(types: readonly Type[]): Type[] {
  if (types.length < 2) return [...types];
  return [...new Map(types.map((type) => [JSON.stringify(type), type])).values()];
}

/** The direct parts of a type. */
export function partsOf(type: Type): readonly Type[] {
  switch (type.kind) {
    case 'array':
      return [type.items];
    case 'tuple':
      return type.rest ? [...type.items, type.rest] : type.items;
    case 'object':
      return [...type.properties.map((each) => each.type), ...(type.index ? [type.index] : [])];
    case 'union':
    case 'intersection':
      return type.members;
    default:
      return [];
  }
}

/** A type with its parts replaced. */
export function withParts(type: Type, change: (part: Type) => Type): Type {
  switch (type.kind) {
    case 'array':
      return { ...type, items: change(type.items) };
    case 'tuple':
      return {
        ...type,
        items: type.items.map(change),
        ...(type.rest && { rest: change(type.rest) }),
      };
    case 'object':
      return {
        ...type,
        properties: type.properties.map((each) => ({ ...each, type: change(each.type) })),
        ...(type.index && { index: change(type.index) }),
      };
    case 'union':
      return union(type.members.map(change));
    case 'intersection':
      return intersection(type.members.map(change));
    default:
      return type;
  }
}
