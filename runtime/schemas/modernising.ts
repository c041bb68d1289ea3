import { isObject } from '../peer/wire/json.js';
import { mapParts } from './keywords.js';

type Json = Record<string, unknown>;

/** A schema of draft-07 without references, in the words of 2020-12. */
export function modernised(schema: Json): Json {
  const { items, additionalItems, dependencies, ...others } = mapParts(schema, modernised);
  return { ...others, ...listOf(items, additionalItems), ...dependent(dependencies) };
}

function listOf(items: unknown, additionalItems: unknown): Json {
  if (!Array.isArray(items)) return items === undefined ? {} : { items };
  return {
    // In 2020-12 the list must not be empty.
    ...(items.length > 0 && { prefixItems: items }),
    ...(additionalItems !== undefined && { items: additionalItems }),
  };
}

function dependent(dependencies: unknown): Json {
  if (!isObject(dependencies)) return {};
  const entries = Object.entries(dependencies);
  const required = entries.filter(([, value]) => Array.isArray(value));
  const schemas = entries.filter(([, value]) => !Array.isArray(value));
  return {
    ...(required.length > 0 && { dependentRequired: Object.fromEntries(required) }),
    ...(schemas.length > 0 && { dependentSchemas: Object.fromEntries(schemas) }),
  };
}
