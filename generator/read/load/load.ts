import type { Extension } from '../../ir/index.js';
import type { JsonValue } from '../../../json-schema/index.js';
import { fileName, interpret } from './interpret.js';
import type { LoadedSchema, LoadOptions, Recognized } from './interpret.js';
import { DEFAULT_LIMITS } from './limits.js';
import { draftOf, identify, upstreamSources } from './nearest.js';
import { naming, parse } from './parse.js';
import { readRevision, readSource } from './source.js';
import type { Source } from './source.js';

/** @throws {DiagnosticError} `not-found` */
export function loadRevision(revision: string, options: LoadOptions = {}): LoadedSchema {
  const source = readRevision(revision);
  const json = JSON.parse(source.text) as { [key: string]: JsonValue };
  return interpret(source, json, recognized(json, revision), options);
}

/**
 * Loads a schema that is not bundled: an official file, an extension, or any other schema.
 *
 * @throws {DiagnosticError} when the schema cannot be read at all.
 */
export async function loadSchema(
  location: string,
  options: LoadOptions = {},
): Promise<LoadedSchema> {
  return loadSource(
    await readSource(location, options.limits ?? DEFAULT_LIMITS, options.cwd),
    options,
  );
}

/** Loads a schema from its text; see `loadSchema`. */
export function loadSource(source: Source, options: LoadOptions = {}): LoadedSchema {
  return naming(source, () => {
    const json = parse(source.text, options.limits ?? DEFAULT_LIMITS);
    return interpret(source, json, recognized(json, identify(json)), options);
  });
}

/**
 * The folder of a schema without a name: the bundled revision with the same structure, else its file's name.
 *
 * @throws {DiagnosticError} `not-json` and others, as for `loadSchema`.
 */
export function schemaFolder(source: Source): string {
  return identify(parseSource(source)) ?? fileName(source.label);
}

function recognized(json: JsonValue, revision: string | undefined): Recognized {
  const draft = revision ?? draftOf(json);
  return { revision, draft, extension: draft === undefined ? undefined : extensionOf(draft) };
}

function extensionOf(revision: string): Extension | undefined {
  const { extension: id, extends: base } = upstreamSources()[revision] ?? {};
  return id === undefined || base === undefined ? undefined : { id, extends: base };
}

/**
 * A schema's text as JSON, for callers that need the document itself.
 *
 * @throws {DiagnosticError} `not-json`, `too-large` or `duplicate-definition`.
 */
export function parseSource(source: Source): JsonValue {
  return naming(source, () => parse(source.text, DEFAULT_LIMITS));
}
