import type { JsonValue } from './model.js';

export type JsonObject = { readonly [key: string]: JsonValue };

/** One schema: an object or a boolean. */
export type JsonSchema = JsonObject | boolean;

export function isObject(value: unknown): value is { [key: string]: JsonValue } {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

export function isSchema(value: unknown): value is JsonObject | boolean {
  return isObject(value) || typeof value === 'boolean';
}

/** An own member. */
export function member(value: JsonObject, key: string): JsonValue | undefined {
  return Object.hasOwn(value, key) ? value[key] : undefined;
}
