import type { StandardSchemaV1 } from '@modelcontextprotocol/server';

import type { JsonObject } from '../tasks/index.js';

export function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** For the SDK, where it wants a schema and the message has been checked already. */
export const anyObject: StandardSchemaV1<JsonObject> = {
  '~standard': {
    version: 1,
    vendor: 'mcp-codegen',
    validate: (value) =>
      isObject(value) ? { value } : { issues: [{ message: 'Expected an object' }] },
  },
};

/** The member of that name, if there is an object to have it. */
export function member(value: unknown, name: string): unknown {
  return isObject(value) ? value[name] : undefined;
}

export function at(value: unknown, path: readonly string[]): unknown {
  return path.reduce(member, value);
}
