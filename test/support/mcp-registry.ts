import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { Ajv } from 'ajv';
import type { ValidateFunction } from 'ajv';
import addFormats from 'ajv-formats';

/** The schema of a `server.json`, as the registry of MCP servers takes it. */
export const REGISTRY_SCHEMA =
  'https://static.modelcontextprotocol.io/schemas/2025-12-11/server.schema.json';

/** A copy of the schema, for machines that do not reach the registry. */
const COPY = fileURLToPath(new URL('../../.cache/server.schema.json', import.meta.url));

/** The rules of the registry's schema. Undefined, with a warning, where it cannot be read. */
export async function registryRules(): Promise<ValidateFunction | undefined> {
  const schema = existsSync(COPY)
    ? (JSON.parse(readFileSync(COPY, 'utf8')) as object)
    : await fetch(REGISTRY_SCHEMA, { signal: AbortSignal.timeout(5_000) })
        .then((response) => (response.ok ? response.json() : undefined))
        .then((json) => json as object | undefined)
        .catch(() => undefined);
  if (!schema) {
    console.warn(`Skipped: ${REGISTRY_SCHEMA} cannot be read.`);
    return undefined;
  }
  const ajv = new Ajv({ strict: false });
  addFormats.default(ajv);
  return ajv.compile(schema);
}
