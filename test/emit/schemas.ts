import type { JsonSchema } from '../../json-schema/index.js';

/** The schema of an object with these properties. */
export const object = (
  properties: Readonly<Record<string, JsonSchema>>,
  more: object = {},
): JsonSchema => ({ type: 'object', properties, ...more });
