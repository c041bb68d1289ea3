import { applyErrata } from '../errata/index.js';
import { DiagnosticError } from '../../diagnostics/index.js';
import type { Diagnostic } from '../../diagnostics/index.js';
import type { Extension, SchemaDocument } from '../../ir/index.js';
import {
  documentUri,
  type Draft,
  isObject,
  isSchema,
  type JsonValue,
  type RefSiblings,
} from '../../../json-schema/index.js';
import { readDocument } from './document.js';
import { DEFAULT_LIMITS } from './limits.js';
import type { Limits } from './limits.js';
import type { NamedDocument } from './named.js';
import { naming, parse } from './parse.js';
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
  /** Whether a fault of a schema, which costs its place, is an error. Default: false, a warning. */
  readonly strict?: boolean;
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

/** What a document is in MCP. */
export interface Recognized {
  /** The bundled revision with the same structure. */
  readonly revision?: string | undefined;
  /** The bundled revision that it is, or is a draft of. */
  readonly draft?: string | undefined;
  /** That of the draft, if it is one. */
  readonly extension?: Extension | undefined;
}

/**
 * Reads a parsed document. It needs no disk.
 *
 * @throws {DiagnosticError} when nothing of the document can be read.
 */
export function interpret(
  source: Source,
  json: JsonValue,
  { revision, draft, extension }: Recognized,
  options: LoadOptions,
): LoadedSchema {
  const { name: given, errata = true, limits = DEFAULT_LIMITS, refs = [] } = options;
  const known = given ?? nameFor(json, revision, draft);
  const name = known ?? fileName(source.label);
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
    strict: options.strict,
  });
  const { corrections } = corrected;
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

/** `https://example.com/a/my schema.json?x` → `my-schema`. */
export function fileName(location: string): string {
  const path = URL.canParse(location) ? new URL(location).pathname : location;
  const words = withoutEnding(lastPart(path)).replace(/[^\w.-]+/g, '-');
  return words.replace(/^[.-]+|[.-]+$/g, '') || 'schema';
}

/** What a schema without a title is called, in the script of its file. */
function titleOf(location: string): string {
  return URL.canParse(location)
    ? stemOf(new URL(location).pathname)
    : withoutEnding(lastPart(location));
}

/** `a/b.json` and `a\b.json` → `b.json`. */
function lastPart(path: string): string {
  return path.split(/[/\\]/).findLast((part) => part !== '') ?? '';
}
