import { basename } from 'node:path';
import { applyErrata } from '../errata/index.js';
import { DiagnosticError, jsonPointer, jsonProblem } from '../../diagnostics/index.js';
import type { Diagnostic } from '../../diagnostics/index.js';
import type { Draft, Extension, JsonValue, RefSiblings, SchemaDocument } from '../../ir/index.js';
import { readDocument } from './document.js';
import { duplicateDefinition } from './entries.js';
import { documentUri, isObject, isSchema } from '../index.js';
import { DEFAULT_LIMITS } from './limits.js';
import type { Limits } from './limits.js';
import type { NamedDocument } from './named.js';
import { draftOf, identify, upstreamSources } from './nearest.js';
import { scanJson } from './scan.js';
import { readRevision, readSource } from './source.js';
import type { Source } from './source.js';
import { stemOf, withoutEnding } from './stem.js';

export interface LoadOptions {
  /** The folder that a path is relative to. Default: the working directory. */
  readonly cwd?: string;
  /** Make the corrections of `generator/read/errata`; default true. */
  readonly errata?: boolean;
  readonly limits?: Limits;
  /** What the protocol is called. Default: what the schema says of itself, else the revision whose draft it is, else its file. */
  readonly name?: string;
  /** What a schema without `$schema` is read as. Default: 2020-12 if it has `$defs`, else draft-07. */
  readonly draft?: Draft;
  /** What becomes of the keywords beside a `$ref` up to draft-07. Default: `ignore`, with a warning. */
  readonly refSiblings?: RefSiblings;
  /** Documents that references may lead to; default none. */
  readonly refs?: readonly NamedDocument[];
}

export interface LoadedSchema {
  readonly document: SchemaDocument;
  /** The bundled revision with the same structure, if any. */
  readonly revision: string | undefined;
  /** The bundled revision that it is, or is a draft of; undefined when it is no schema of MCP. */
  readonly draft: string | undefined;
  /** Whether the protocol is called like its file, because nothing says what it is. */
  readonly isNamedByFile: boolean;
  /** The text as it was read. */
  readonly source: Source;
  readonly diagnostics: readonly Diagnostic[];
}

/** @throws {DiagnosticError} `not-found` */
export function loadRevision(revision: string, options: LoadOptions = {}): LoadedSchema {
  const source = readRevision(revision);
  const json = JSON.parse(source.text) as { [key: string]: JsonValue };
  return finish(source, revision, json, options);
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
    return finish(source, identify(json), json, options);
  });
}

/**
 * The folder of a schema without a name: the bundled revision with the same structure, else its file's name.
 *
 * @throws {DiagnosticError} `not-json` and others, as for `loadSchema`.
 */
export function schemaFolder(source: Source): string {
  return identify(parseSource(source)) ?? nameOf(source.label);
}

/** Reads a parsed document, for callers that have no file. */
function finish(
  source: Source,
  revision: string | undefined,
  json: JsonValue,
  options: LoadOptions,
): LoadedSchema {
  const { name: given, errata = true, limits = DEFAULT_LIMITS, refs = [] } = options;
  const draft = revision ?? draftOf(json);
  const known = given ?? nameFor(json, revision, draft);
  const name = known ?? nameOf(source.label);
  const corrected =
    errata && draft !== undefined && isObject(json) ? applyErrata(json) : { json, corrections: [] };
  const documents = new Map(
    refs.flatMap((ref) => {
      const parsed = ref.isSpare ? parseSpare(ref, limits) : parseRef(ref, limits);
      return parsed === undefined ? [] : [[documentUri(ref.uri), parsed] as const];
    }),
  );
  const labels = new Map(refs.map((ref) => [documentUri(ref.uri), ref.source.label]));
  const { at } = source;
  const spare = new Set(refs.flatMap(({ uri, isSpare }) => (isSpare ? documentUri(uri) : [])));
  const { document, diagnostics } = readDocument(name, corrected.json, {
    limits,
    documents,
    spare,
    at,
    draft: options.draft,
    title: known ?? titleOf(source.label),
    refSiblings: options.refSiblings,
  });
  const { corrections } = corrected;
  const extension = draft === undefined ? undefined : extensionOf(draft);
  return {
    document: {
      ...document,
      ...(extension && { extension }),
      ...(corrections.length > 0 && { errata: corrections }),
    },
    revision,
    draft,
    isNamedByFile: known === undefined,
    source,
    diagnostics: diagnostics.map((each) => ({
      ...each,
      source: labels.get(each.source ?? '') ?? source.label,
    })),
  };
}

/**
 * What a schema is called that the caller gives no name: the bundled revision with the same structure, else the date
 * in its `$id` or `title`, else the revision that it is a draft of. Undefined for a schema of something else.
 */
function nameFor(
  json: JsonValue,
  revision: string | undefined,
  draft: string | undefined,
): string | undefined {
  if (revision !== undefined || draft === undefined) return revision;
  const words = isObject(json) ? [json['$id'], json['title']] : [];
  const dates = words.map((word) => (typeof word === 'string' ? DATE.exec(word)?.[0] : undefined));
  return dates.find((date) => date !== undefined) ?? draft;
}

/** Revisions of MCP are days. */
const DATE = /(?<!\d)\d{4}-(?:0[1-9]|1[0-2])-(?:0[1-9]|[12]\d|3[01])(?!\d)/;

function extensionOf(revision: string): Extension | undefined {
  const { extension: id, extends: base } = upstreamSources()[revision] ?? {};
  return id === undefined || base === undefined ? undefined : { id, extends: base };
}

function parseRef({ source }: NamedDocument, limits: Limits): JsonValue {
  return naming(source, () => {
    const json = parse(source.text, limits);
    if (isSchema(json)) return json;
    throw new DiagnosticError([
      {
        code: 'not-a-schema',
        severity: 'error',
        message: 'The document is neither a JSON object nor true or false.',
      },
    ]);
  });
}

/** Undefined for a document that cannot be used: a folder may contain any. */
function parseSpare(ref: NamedDocument, limits: Limits): JsonValue | undefined {
  try {
    return parseRef(ref, limits);
  } catch (error) {
    if (error instanceof DiagnosticError) return undefined;
    throw error;
  }
}

/** @throws {DiagnosticError} `not-json`, `too-large` or `duplicate-definition`. */
function parse(text: string, limits: Limits): JsonValue {
  const json = parseJson(text);
  const { depth, duplicates } = scanJson(text, 2);
  if (depth > limits.depth) {
    throw new DiagnosticError([
      {
        code: 'too-large',
        severity: 'error',
        message: `The document has ${String(depth)} levels, more than the limit of ${String(limits.depth)}.`,
      },
    ]);
  }
  const twice = duplicates.find(
    ([container, name]) => name && ['$defs', 'definitions'].includes(container ?? ''),
  );
  if (twice) throw duplicateDefinition(twice);
  refuseInfinity(json, []);
  return json;
}

/** Refuses numbers such as `1e400`, which are JSON but become `Infinity`. */
function refuseInfinity(value: JsonValue, path: readonly (string | number)[]): void {
  if (typeof value === 'object' && value !== null) {
    for (const [key, inner] of Object.entries(value)) refuseInfinity(inner, [...path, key]);
  } else if (typeof value === 'number' && !Number.isFinite(value)) {
    throw new DiagnosticError([
      {
        code: 'too-large',
        severity: 'error',
        message: 'A number is larger than JavaScript can represent.',
        pointer: jsonPointer(path),
        help: 'Use a number of at most 1.79e308, or remove the limit.',
      },
    ]);
  }
}

function parseJson(text: string): JsonValue {
  try {
    return JSON.parse(text) as JsonValue;
  } catch (error) {
    const { reason, help } = jsonProblem(text, error);
    throw new DiagnosticError([
      { code: 'not-json', severity: 'error', message: `The text is not JSON: ${reason}.`, help },
    ]);
  }
}

/** Adds the source to the diagnostics that `work` throws. */
function naming<T>({ label }: Source, work: () => T): T {
  try {
    return work();
  } catch (error) {
    if (!(error instanceof DiagnosticError)) throw error;
    throw new DiagnosticError(
      error.diagnostics.map((each) => ({ ...each, source: each.source ?? label })),
    );
  }
}

/**
 * A schema's text as JSON, for callers that need the document itself.
 *
 * @throws {DiagnosticError} `not-json`, `too-large` or `duplicate-definition`.
 */
export function parseSource(source: Source): JsonValue {
  return naming(source, () => parse(source.text, DEFAULT_LIMITS));
}

/** `https://example.com/a/my schema.json?x` → `my-schema`. */
function nameOf(location: string): string {
  const path = URL.canParse(location) ? new URL(location).pathname : location;
  const words = withoutEnding(basename(path)).replace(/[^\w.-]+/g, '-');
  return words.replace(/^[.-]+|[.-]+$/g, '') || 'schema';
}

/** What a schema without a title is called, in the script of its file. */
function titleOf(location: string): string {
  return URL.canParse(location)
    ? stemOf(new URL(location).pathname)
    : withoutEnding(basename(location));
}
