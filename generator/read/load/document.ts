import { type DiagnosticError } from '../../diagnostics/index.js';
import {
  circularDefinitions,
  type Definition,
  documentUri,
  type Draft,
  DRAFT_URIS,
  draftNamed,
  isObject,
  isSchema,
  isUndated,
  jsonPointer,
  type JsonValue,
  mapNode,
  type Node,
  quote,
  type Fault,
  type ReadDefinition,
  Reading,
  type RefSiblings,
} from '../../../json-schema/index.js';
import type { Diagnostic, DiagnosticCode } from '../../diagnostics/index.js';
import type { SchemaDocument } from '../../ir/index.js';
import { entriesAt, entriesOf, entriesOfApi, HELP } from './entries.js';
import { valueAt } from './keys.js';
import type { Limits } from './limits.js';
import { createDefinitionNames } from './names.js';
import type { Entry } from './names.js';
import { OPENAPI_ANNOTATIONS, openApiOf } from './openapi/index.js';
import type { OpenApi } from './openapi/index.js';
import { inEnglish, refusal } from './refusal.js';

export interface ReadDocument {
  /** Contains no definition with an error, but for references that lead nowhere, and none that refers to one. */
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
}

/**
 * Reads the definitions of a parsed schema document. It reports and leaves out definitions with errors,
 * and the definitions that need them. Where a reference leads nowhere, every value is valid. A document that is a
 * schema itself is a definition as well, with its title or what the document is called.
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
  const places = new Map(entries.map(({ given, path }) => [given, path]));
  for (const [given, path] of places) {
    if (isSchema(valueAt(whole, path))) reading.define(given, ...path);
    else names.diagnostics.push(notASchema(path));
  }
  const read = reading.finish();
  const checked = withCircles(read, places);
  const diagnostics = [
    ...names.diagnostics,
    ...[...checked.values()].flatMap((each) => each.diagnostics),
    ...[...documents.keys()].filter((uri) => !spare.has(uri) && !reading.refersTo(uri)).map(unused),
  ];
  const definitions = dropBroken(checked, places, diagnostics);
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

function notASchema(path: readonly string[]): Diagnostic {
  return {
    code: 'malformed-keyword',
    severity: 'error',
    message: `${quote(path.at(-1) ?? '')} is not a schema.`,
    pointer: jsonPointer(path),
  };
}

type Places = ReadonlyMap<string, readonly string[]>;

/** Adds an error to each definition that refers to itself directly. */
function withCircles(
  read: ReadonlyMap<string, ReadDefinition>,
  places: Places,
): Map<string, ReadDefinition> {
  const circular = circularDefinitions(read);
  return new Map(
    [...read].map(([name, definition]) => {
      if (!circular.has(name)) return [name, definition];
      const own: Fault = {
        code: 'circular-ref',
        severity: 'error',
        message: `${quote(name)} refers to itself without an object or array in between.`,
        pointer: jsonPointer(places.get(name) ?? []),
        help: 'Remove the circular reference: no value can be checked against it.',
      };
      return [name, { ...definition, diagnostics: [own, ...definition.diagnostics] }];
    }),
  );
}

/** Leaves out definitions with errors that cost the whole, then definitions that refer to those. */
function dropBroken(
  read: ReadonlyMap<string, ReadDefinition>,
  places: Places,
  diagnostics: Diagnostic[],
): Map<string, Definition> {
  const users = usersOf(read);
  const sound = new Map<string, Definition>(
    [...read].map(([name, { diagnostics: _, references: __, ...definition }]) => [
      name,
      definition,
    ]),
  );
  const broken = [...read]
    .filter(([, { diagnostics: own }]) => own.some(isFatal))
    .map(([name]) => name);
  broken.forEach((name) => sound.delete(name));
  for (let name = broken.pop(); name !== undefined; name = broken.pop()) {
    for (const user of users.get(name) ?? []) {
      if (!sound.delete(user)) continue;
      broken.push(user);
      diagnostics.push({
        code: 'skipped-definition',
        severity: 'warning',
        message: `${quote(user)} is left out because it refers to ${quote(name)}.`,
        pointer: jsonPointer(places.get(user) ?? []),
      });
    }
  }
  return sound;
}

/** A reference that leads nowhere costs its place, where every value is valid, and not the definition. */
const AT_ITS_PLACE: ReadonlySet<DiagnosticCode> = new Set(['dangling-ref', 'remote-ref']);

function isFatal({ severity, code }: Diagnostic): boolean {
  return severity === 'error' && !AT_ITS_PLACE.has(code);
}

function usersOf(read: ReadonlyMap<string, ReadDefinition>): Map<string, string[]> {
  const users = new Map<string, string[]>();
  for (const [name, { references }] of read) {
    for (const reference of references) {
      const list = users.get(reference);
      if (list) list.push(name);
      else users.set(reference, [name]);
    }
  }
  return users;
}
