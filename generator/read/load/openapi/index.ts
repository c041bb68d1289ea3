/**
 * Makes a document of JSON Schema of an OpenAPI document: what OpenAPI adds to schemas is written as JSON Schema, and the
 * schemas of operations get names. It is pure, and changes a copy.
 */

import { draftNamed, isObject, subschemas } from '../../../../json-schema/index.js';
import type { Draft, JsonValue } from '../../../../json-schema/index.js';
import type { Diagnostic } from '../../../diagnostics/index.js';
import { writeTags } from './discriminator.js';
import { LeftOut } from './left-out.js';
import { namedParts } from './named-parts.js';
import { OperationReader } from './operations.js';
import type { Located } from './operations.js';
import { splitSides } from './sides.js';
import { originOf } from './workpiece.js';
import type { JsonObject, Schema, Workpiece } from './workpiece.js';

/** An OpenAPI document, as one of JSON Schema. */
export interface OpenApi {
  /** What its schemas without `$schema` are read as. */
  readonly draft: Draft;
  /** Each part is where it was. What was added is beside what it was made from. */
  readonly document: JsonObject;
  /** The keys that lead to the schemas, by name. */
  readonly schemas: readonly string[];
  /** The schemas of its operations, and of what they share. */
  readonly parts: readonly { readonly name: string; readonly path: readonly string[] }[];
  readonly diagnostics: readonly Diagnostic[];
  /** The pointer to the same place of the document as it was written. */
  readonly origin: (pointer: string) => string;
}

/** Reads an OpenAPI document, of which the schemas at some keys are wanted; undefined for another document. */
export function openApiOf(json: JsonValue, at: readonly string[] = []): OpenApi | undefined {
  if (!isObject(json)) return undefined;
  const version = versionOf(json);
  if (!version) return undefined;
  const document = structuredClone(json);
  const { draft, schemas: container, shared } = version;
  const left = new LeftOut();
  left.note('document', document, []);
  if (isObject(document['components']))
    left.note('components', document['components'], ['components']);
  const reader = new OperationReader(document, left.visit);
  const moved = new Map<string, string>();
  const parts = namedParts(document, reader, shared, moved);
  const schemas = schemasIn([...reader.members(container), ...parts.map(({ schema }) => schema)]);
  for (const { schema, path } of schemas) left.note('schema', schema, path);
  const piece: Workpiece = {
    document,
    targets: new Map(),
    container,
    schemas,
    diagnostics: [],
    moved,
  };
  writeTags(piece);
  splitSides(
    piece,
    parts.map(({ side, schema }) => ({ side, schema: schema.value })),
  );
  return {
    draft,
    document,
    schemas: container,
    parts: parts.flatMap(({ name, schema }) =>
      name === undefined ? [] : { name, path: schema.path },
    ),
    diagnostics: [...piece.diagnostics, ...left.diagnostics(at)],
    origin: (pointer) => originOf(pointer, moved),
  };
}

/** The schemas at some places, and those inside of them, each once: operations share parts. */
function schemasIn(places: readonly Located<JsonValue>[]): Schema[] {
  const found = new Map<JsonObject, Schema>();
  for (const { path, value } of places) {
    for (const each of subschemas(value)) {
      const schema = each.schema;
      if (!found.has(schema))
        found.set(schema, { schema, path: [...path, ...each.path.map(String)] });
    }
  }
  return [...found.values()];
}

interface Version {
  readonly draft: Draft;
  readonly schemas: readonly string[];
  /** The keys that lead to bodies and responses that operations share. */
  readonly shared: { readonly bodies?: readonly string[]; readonly responses: readonly string[] };
}

function versionOf(json: JsonObject): Version | undefined {
  const { jsonSchemaDialect: dialect } = json;
  const [swagger, openapi] = [versionIn(json['swagger']), versionIn(json['openapi'])];
  if (swagger === '2.0') {
    return { draft: 'draft-04', schemas: ['definitions'], shared: { responses: ['responses'] } };
  }
  if (openapi === undefined || !/^3\.\d/.test(openapi)) return undefined;
  const schemas = ['components', 'schemas'];
  const shared = {
    bodies: ['components', 'requestBodies'],
    responses: ['components', 'responses'],
  };
  // Its schemas are those of an early draft, with limits that are exclusive by a flag.
  if (/^3\.0(?:\.|$)/.test(openapi)) return { draft: 'draft-04', schemas, shared };
  const named = typeof dialect === 'string' ? draftNamed(dialect) : undefined;
  return { draft: named ?? '2020-12', schemas, shared };
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
