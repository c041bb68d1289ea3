import { DiagnosticError, jsonProblem } from '../../generator/diagnostics/index.js';
import type { Draft, RefSiblings } from '../../json-schema/index.js';
import { DRAFTS, REF_SIBLINGS } from '../../json-schema/draft.js';
import { quote } from '../../json-schema/text.js';
import type { Diagnostic } from '../../generator/diagnostics/index.js';
import { DEFAULT_EMITS, EMITS } from '../../generator/emit/index.js';
import type { Emit } from '../../generator/emit/index.js';
import { isUrl, REVISIONS } from '../../generator/read/load/index.js';
import type { Revision } from '../../generator/read/load/index.js';
import { isProtocolName, PROTOCOL_NAME_HELP } from '../../generator/plan/job.js';
import {
  isObject,
  oneOf,
  readBoolean,
  readList,
  readObject,
  readString,
  reportError,
} from './reader.js';
import type { Read } from './reader.js';

export const CONFIG_FILE = 'mcp-codegen.json';
/** The lock of a project with one server. */
export const DEFAULT_LOCK = 'mcp.lock.json';

/** The settings of a project. Paths are relative to the folder of the file. */
export interface Config {
  readonly revisions: readonly Revision[];
  readonly schemas: readonly SchemaEntry[];
  readonly tools?: readonly ToolsEntry[];
  readonly locks?: readonly LockEntry[];
  readonly out: string;
  readonly emit: readonly Emit[];
  readonly errata: boolean;
}

export interface SchemaEntry {
  readonly name: string;
  readonly source: string;
  /** Files that its references lead to, by their URIs. */
  readonly refs?: Readonly<Record<string, string>>;
  /** What a schema without `$schema` is read as. */
  readonly draft?: Draft;
  /** What becomes of the keywords beside a `$ref` up to draft-07. Default: `ignore`, with a warning. */
  readonly refSiblings?: RefSiblings;
}

/** Tools to generate typed functions and checks for. */
export type ToolsEntry = { readonly name: string } & (
  | {
      /** A file with an answer to `tools/list`. */
      readonly source: string;
    }
  | {
      /** The URL of a server, or the command that starts one. */
      readonly server: string | readonly string[];
    }
);

/** A lock file, and the server that it is compared with. */
export interface LockEntry {
  readonly file: string;
  /** A URL or a saved name, or the command that starts a server. */
  readonly server: string | readonly string[];
}

/** The default settings. */
export const DEFAULT_CONFIG: Config = {
  revisions: REVISIONS,
  schemas: [],
  out: 'generated',
  emit: DEFAULT_EMITS,
  errata: true,
};

/**
 * Reads the text of a `mcp-codegen.json`.
 *
 * @throws {DiagnosticError} `bad-config`, with all errors.
 */
export function parseConfig(text: string, source: string): Config {
  const diagnostics: Diagnostic[] = [];
  const root: Read = {
    value: parseJson(text, source),
    path: [],
    report: (diagnostic) => diagnostics.push({ ...diagnostic, source }),
  };
  const config = readConfig(root);
  if (diagnostics.length > 0) throw new DiagnosticError(diagnostics);
  return config;
}

function parseJson(text: string, source: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    const { reason, help } = jsonProblem(text, error);
    const message = `The file is not JSON: ${reason}.`;
    throw new DiagnosticError([{ code: 'bad-config', severity: 'error', message, source, help }]);
  }
}

const KEYS = [
  '$schema',
  'revisions',
  'schemas',
  'tools',
  'locks',
  'out',
  'emit',
  'errata',
] as const;

function readConfig(root: Read): Config {
  const { revisions, schemas, tools, locks, out, emit, errata, $schema } = readObject(root, KEYS);
  if ($schema) readString($schema);
  if (revisions && [revisions, schemas, tools, locks].every(isEmpty)) {
    reportError(
      revisions,
      'Nothing is left to generate or to check: there are no revisions, "schemas", "tools" or "locks".',
      'Leave "revisions" out for all of them, or name those to generate.',
    );
  }
  return {
    revisions: revisions ? readList(revisions, oneOf(REVISIONS)) : DEFAULT_CONFIG.revisions,
    schemas: schemas ? readList(schemas, readSchema) : DEFAULT_CONFIG.schemas,
    ...(tools && { tools: readList(tools, readTools) }),
    ...(locks && { locks: readList(locks, readLock) }),
    out: (out && readString(out)) ?? DEFAULT_CONFIG.out,
    emit: emit ? readEmits(emit) : DEFAULT_CONFIG.emit,
    errata: (errata && readBoolean(errata)) ?? DEFAULT_CONFIG.errata,
  };
}

function isEmpty(item: Read | undefined): boolean {
  return item === undefined || (Array.isArray(item.value) && item.value.length === 0);
}

function readEmits(item: Read): Emit[] {
  if (isEmpty(item)) {
    reportError(
      item,
      'Must not be empty.',
      'Leave "emit" out for all modules, or write ["types"].',
    );
  }
  return readList(item, oneOf(EMITS));
}

function readSchema(item: Read): SchemaEntry | undefined {
  const entry = readObject(item, ['name', 'source', 'refs', 'draft', 'refSiblings']);
  for (const key of ['name', 'source'] as const) {
    if (!entry[key] && isObject(item.value)) reportError(item, `"${key}" is missing.`);
  }
  const name = entry.name && readName(entry.name);
  const source = entry.source && readString(entry.source);
  const refs = entry.refs && readRefs(entry.refs);
  const draft = entry.draft && oneOf(DRAFTS)(entry.draft);
  const refSiblings = entry.refSiblings && oneOf(REF_SIBLINGS)(entry.refSiblings);
  if (name === undefined || source === undefined) return undefined;
  const chosen = { ...(draft && { draft }), ...(refSiblings && { refSiblings }) };
  return { name, source, ...(refs && { refs }), ...chosen };
}

function readName(item: Read): string | undefined {
  const name = readString(item);
  if (name === undefined || isProtocolName(name)) return name;
  reportError(item, `Invalid folder name ${quote(name)}.`, PROTOCOL_NAME_HELP);
  return undefined;
}

function readTools(item: Read): ToolsEntry | undefined {
  const entry = readObject(item, ['name', 'source', 'server']);
  const { source, server } = entry;
  if (isObject(item.value)) {
    if (!entry.name) reportError(item, '"name" is missing.');
    if (!source === !server) {
      const fault = source ? 'Both "source" and "server" are given.' : '"source" is missing.';
      reportError(item, fault, 'Give "source", a file, or "server", which is asked for its tools.');
    }
  }
  const name = entry.name && readName(entry.name);
  const file = source && readFileName(source);
  const asked = server && readServer(server);
  if (name === undefined) return undefined;
  if (file !== undefined) return { name, source: file };
  return asked === undefined || asked === '' ? undefined : { name, server: asked };
}

function readFileName(item: Read): string | undefined {
  const file = readString(item);
  if (file === undefined || !isUrl(file)) return file;
  reportError(item, 'Must be a file.', 'Give the URL of a server as "server".');
  return undefined;
}

function readLock(item: Read): LockEntry | undefined {
  const entry = readObject(item, ['file', 'server']);
  if (isObject(item.value) && !entry.server) reportError(item, '"server" is missing.');
  const file = entry.file ? readFileName(entry.file) : DEFAULT_LOCK;
  const server = entry.server && readServer(entry.server, true);
  return file === undefined || server === undefined ? undefined : { file, server };
}

/** A URL or, if `mayBeName`, a saved name; or a command and its arguments. */
function readServer(item: Read, mayBeName = false): string | string[] | undefined {
  const { value } = item;
  if (!Array.isArray(value)) {
    const url = readString(item);
    if (url === undefined || /^https?:\/\//i.test(url)) return url;
    if (mayBeName && !url.includes('://')) return url;
    reportError(item, 'Must be an http or https URL, or a list of a command and its arguments.');
    return undefined;
  }
  const words = value.filter((word) => typeof word === 'string');
  if (words.length === value.length && words.length > 0 && words[0] !== '') return words;
  reportError(item, 'Must be a list of a command and its arguments.');
  return undefined;
}

function readRefs({ value, path, report }: Read): Record<string, string> {
  if (!isObject(value)) {
    reportError({ value, path, report }, 'Must be an object of files by their URIs.');
    return {};
  }
  const files = Object.entries(value).flatMap(([uri, content]): [string, string][] => {
    const file = readString({ value: content, path: [...path, uri], report });
    return file === undefined ? [] : [[uri, file]];
  });
  return Object.fromEntries(files);
}
