import { type Draft, draftNamed, isObject, type JsonValue } from '../../../json-schema/index.js';

/** An OpenAPI document, as far as its schemas are concerned. */
export interface OpenApi {
  /** What its schemas without `$schema` are read as. */
  readonly draft: Draft;
  /** The keys that lead to the schemas, by name. */
  readonly schemas: readonly string[];
}

/** Reads the version of an OpenAPI document; undefined for another document. */
export function openApiOf(json: JsonValue): OpenApi | undefined {
  if (!isObject(json)) return undefined;
  const { jsonSchemaDialect: dialect } = json;
  const [swagger, openapi] = [versionIn(json['swagger']), versionIn(json['openapi'])];
  if (swagger === '2.0') return { draft: 'draft-04', schemas: ['definitions'] };
  if (openapi === undefined) return undefined;
  const schemas = ['components', 'schemas'];
  // Its schemas are those of an early draft, with limits that are exclusive by a flag.
  if (/^3\.0(?:\.|$)/.test(openapi)) return { draft: 'draft-04', schemas };
  const named = typeof dialect === 'string' ? draftNamed(dialect) : undefined;
  return /^3\.\d/.test(openapi) ? { draft: named ?? '2020-12', schemas } : undefined;
}

/** Without quotes, YAML reads a version such as 2.0 or 3.1 as a number. */
function versionIn(value: JsonValue | undefined): string | undefined {
  if (typeof value === 'number') return value.toFixed(1);
  return typeof value === 'string' ? value : undefined;
}

/** Keywords and formats that OpenAPI adds, and that change no verdict. */
export const OPENAPI_ANNOTATIONS: ReadonlySet<string> = new Set([
  ...['discriminator', 'xml', 'externalDocs', 'example', 'nullable'],
  ...['int32', 'int64', 'float', 'double', 'binary', 'password'],
]);
