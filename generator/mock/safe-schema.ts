import { isObject } from '../../runtime/wire/json.js';
import type { JsonObject } from '../../runtime/tasks/index.js';
import { isRefusal, readPattern } from '../pattern/index.js';

/**
 * A schema without the patterns that may take more than linear time: the schema comes from one stranger, and the values
 * from another.
 */
export function safeSchema(schema: JsonObject): JsonObject {
  const safe: unknown = JSON.parse(JSON.stringify(schema), (_key, value: unknown) =>
    isObject(value) ? withoutSlow(value) : value,
  );
  return isObject(safe) ? safe : {};
}

function withoutSlow(schema: JsonObject): JsonObject {
  const { pattern, patternProperties, ...others } = schema;
  return {
    ...others,
    ...(pattern !== undefined && !isSlow(pattern) && { pattern }),
    ...(isObject(patternProperties) && {
      patternProperties: Object.fromEntries(
        Object.entries(patternProperties).filter(([each]) => !isSlow(each)),
      ),
    }),
  };
}

function isSlow(pattern: unknown): boolean {
  if (typeof pattern !== 'string') return false;
  const read = readPattern(pattern);
  return isRefusal(read) || read.program !== undefined;
}
