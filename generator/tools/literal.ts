import type { JsonValue } from '../ir/index.js';
import { enter, inside } from './context.js';
import type { Context, Place, TypeName } from './context.js';
import { TOOL_LIMITS } from './limits.js';
import { ANY_OBJECT, NEVER, UNKNOWN } from './type.js';
import type { Type } from './type.js';

export function typeNameOf(value: JsonValue): TypeName {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'array';
  return typeof value as 'boolean' | 'number' | 'string' | 'object';
}

/** The type of one value, or a wider type if its text would be too long. */
export function literalType(value: JsonValue, place: Place, context: Context): Type {
  enter(context, place);
  if (Array.isArray(value)) {
    const items = value.map((item, index) => literalType(item, inside(place, [], index), context));
    return { kind: 'tuple', items, required: items.length };
  }
  if (typeof value === 'object' && value !== null) return exactObject(value, place, context);
  if (typeof value !== 'string' || value.length <= TOOL_LIMITS.text) {
    return { kind: 'literal', value };
  }
  context.widen(place.path, 'too-large', 'A literal is too long');
  return { kind: 'string' };
}

function exactObject(
  value: { readonly [key: string]: JsonValue },
  place: Place,
  context: Context,
): Type {
  const names = Object.keys(value);
  if (names.length === 0) return { kind: 'object', properties: [], index: NEVER };
  if (!names.every(isPlainName)) {
    context.widen(place.path, 'bad-name', 'An object has a key that is not allowed in a type');
    return ANY_OBJECT;
  }
  const properties = names.map((name) => ({
    name,
    required: true,
    type: literalType(value[name] ?? null, inside(place, [], name), context),
    deprecated: false,
  }));
  return { kind: 'object', properties };
}

/** Whether a type can have a property of that name; `__proto__` is not a property in JavaScript. */
export function isPlainName(name: string): boolean {
  return name !== '__proto__' && name.length <= TOOL_LIMITS.text;
}

/** The TypeScript type of a JSON type. */
export function wholeType(name: TypeName): Type {
  if (name === 'object') return ANY_OBJECT;
  return name === 'array' ? { kind: 'array', items: UNKNOWN } : { kind: name };
}
