import { type DiagnosticError } from '../../diagnostics/index.js';
import {
  type Definition,
  documentUri,
  type Draft,
  DRAFT_URIS,
  draftNamed,
  isObject,
  isUndated,
  type JsonValue,
  mapNode,
  type Node,
  quote,
  Reading,
  type RefSiblings,
} from '../../../json-schema/index.js';
import type { Diagnostic } from '../../diagnostics/index.js';
import { diagnosticOf } from '../../diagnostics/index.js';
import type { SchemaDocument } from '../../ir/index.js';
import { entriesAt, entriesOf, entriesOfApi, HELP } from './entries.js';
import type { Limits } from './limits.js';
import { createDefinitionNames } from './names.js';
import type { Entry } from './names.js';
import { OPENAPI_ANNOTATIONS, openApiOf } from './openapi/index.js';
import type { OpenApi } from './openapi/index.js';
import { inEnglish, refusal } from './refusal.js';

export interface ReadDocument {
  readonly document: SchemaDocument;
  readonly diagnostics: readonly Diagnostic[];
}

export interface DocumentOptions {
  readonly limits: Limits;
  /** Documents that references may point to, by `documentUri`. */
  readonly documents?: Documents;
  /** Those that need not be referred to. */
  readonly spare?: ReadonlySet<string>;
  /** The keys that lead to the schemas, or to one. Default: the root, or where an OpenAPI document has them. */
  readonly at?: readonly string[] | undefined;
  /** What a document without `$schema` is read as. Default: 2020-12 if it has `$defs`, else draft-07. */
  readonly draft?: Draft | undefined;
  /** What the document is called if it is a schema itself, without a title. Default: its name. */
  readonly title?: string;
  readonly refSiblings?: RefSiblings | undefined;
  /** Whether a fault of a schema is an error. Default: false, a warning. */
  readonly strict?: boolean | undefined;
}

/**
 * Reads the definitions of a parsed schema document. A fault costs its place, where every value is valid. A document that
 * is a schema itself is a definition as well, with its title or what the document is called.
 *
 * @throws {DiagnosticError} when nothing can be read: `not-a-schema`, `empty-document`,
 *   `too-large`, `duplicate-definition`.
 */
export function readDocument(
  name: string,
  json: JsonValue,
  options: DocumentOptions,
): ReadDocument {
  const { limits, documents = new Map<string, JsonValue>(), spare = NONE, title = name } = options;
  if (!isObject(json)) {
    throw refusal('not-a-schema', 'The document is not a JSON object.', '', HELP);
  }
  const openApi = openApiOf(json, options.at);
  const whole = openApi?.document ?? json;
  const draft = openApi?.draft ?? draftOf(json, documents, options.draft);
  const names = createDefinitionNames();
  const entries = entriesFor();
  let count = entries.length;
  const reading = new Reading(whole, {
    draft,
    ...(options.refSiblings && { refSiblings: options.refSiblings }),
    ...(openApi && { nullable: true, annotations: OPENAPI_ANNOTATIONS }),
    depth: limits.depth,
    documents,
    nameOf: (target) => {
      count += 1;
      if (count > limits.definitions) throw tooManyTargets(limits);
      return names.forPlace(target);
    },
  });
  for (const { given, path } of entries) reading.define(given, ...path);
  const read = [...reading.finish().values()];
  const diagnostics = [
    ...names.diagnostics,
    ...read.flatMap((each) => each.diagnostics.map((fault) => diagnosticOf(fault, options.strict))),
    ...[...documents.keys()].filter((uri) => !spare.has(uri) && !reading.refersTo(uri)).map(unused),
  ];
  const definitions = new Map(
    read.map(({ diagnostics: _, references: __, ...definition }) => [definition.name, definition]),
  );
  const result = { document: { name, dialect: draft, definitions }, diagnostics };
  return openApi ? asWritten(result, openApi) : result;

  function entriesFor(): Entry[] {
    const { at = [] } = options;
    if (at.length > 0) return entriesAt(at, whole, limits, names);
    return openApi ? entriesOfApi(openApi, limits, names) : entriesOf(title, whole, limits, names);
  }
}

/** With places in the document as it was written, and each problem of a place once. */
function asWritten(
  { document, diagnostics }: ReadDocument,
  { origin, ...api }: OpenApi,
): ReadDocument {
  const placed = <T extends { readonly pointer?: string }>(each: T): T =>
    each.pointer === undefined ? each : { ...each, pointer: origin(each.pointer) };
  const found = [...diagnostics, ...api.diagnostics].map((each) =>
    each.source === undefined ? placed(each) : each,
  );
  const definitions = [...document.definitions].map(([name, each]): [string, Definition] => [
    name,
    each.document === undefined ? { ...placed(each), node: mapNode(each.node, withPlaces) } : each,
  ]);
  const once = new Map(found.map((each) => [JSON.stringify(each), each]));
  return {
    document: { ...document, definitions: new Map(definitions) },
    diagnostics: [...once.values()],
  };

  function withPlaces(node: Node): Node {
    return node.kind === 'object' ? { ...node, properties: node.properties.map(placed) } : node;
  }
}

type Documents = ReadonlyMap<string, JsonValue>;

const NONE: ReadonlySet<string> = new Set();

function draftOf(
  json: { [key: string]: JsonValue },
  documents: Documents,
  usual: Draft | undefined,
): Draft {
  const written = json['$schema'];
  if (written === undefined || (typeof written === 'string' && isUndated(written))) {
    return usual ?? (json['$defs'] === undefined ? 'draft-07' : '2020-12');
  }
  const draft = typeof written === 'string' ? draftOfUri(written, documents) : undefined;
  if (draft) return draft;
  throw refusal(
    'not-a-schema',
    `The schema draft ${quote(JSON.stringify(written))} is not supported.`,
    '/$schema',
    `Use ${DRAFT_URIS.join(' or ')}.`,
  );
}

/** A metaschema of the user's own says by its `$schema` which draft it extends. */
function draftOfUri(uri: string, documents: Documents): Draft | undefined {
  const meta = documents.get(documentUri(uri));
  const base = isObject(meta) ? meta['$schema'] : undefined;
  return draftNamed(uri) ?? (typeof base === 'string' ? draftNamed(base) : undefined);
}

function unused(uri: string): Diagnostic {
  return {
    code: 'unused-ref',
    severity: 'warning',
    message: `No reference leads to ${quote(uri)}.`,
    source: uri,
    help: 'Correct the URI, or leave the document out.',
  };
}

/** Each schema that a reference leads to becomes a definition. */
function tooManyTargets(limits: Limits): DiagnosticError {
  return refusal(
    'too-large',
    `The document has more than ${inEnglish(limits.definitions)} definitions and targets of references.`,
    '',
    'Split the document, or let references lead to fewer places.',
  );
}
