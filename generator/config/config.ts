import { DiagnosticError, jsonPointer, jsonProblem, nearest, quote } from '../diagnostics/index.js';
import type { Diagnostic } from '../diagnostics/index.js';
import { DEFAULT_EMITS, EMITS } from '../emit/index.js';
import type { Emit } from '../emit/index.js';
import { type Draft, DRAFTS, REF_SIBLINGS, type RefSiblings } from '../ir/index.js';
import { isUrl, REVISIONS } from '../load/index.js';
import type { Revision } from '../load/index.js';
import { isProtocolName } from '../job.js';

export const CONFIG_FILE = 'mcp-codegen.json';

/** The settings of a project. Paths are relative to the folder of the file. */
export interface Config {
  readonly revisions: readonly Revision[];
  readonly schemas: readonly SchemaEntry[];
  readonly tools?: readonly ToolsEntry[];
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

/** The default settings. */
export const DEFAULT_CONFIG: Config = {
  revisions: REVISIONS,
  schemas: [],
  out: 'generated',
  emit: DEFAULT_EMITS,
  errata: true,
};

/** A value with its path, and the function that reports its errors. */
interface Read {
  readonly value: unknown;
  readonly path: readonly (string | number)[];
  readonly report: (diagnostic: Diagnostic) => void;
}

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

const KEYS = ['$schema', 'revisions', 'schemas', 'tools', 'out', 'emit', 'errata'] as const;

function readConfig(root: Read): Config {
  const { revisions, schemas, tools, out, emit, errata, $schema } = readObject(root, KEYS);
  if ($schema) readString($schema);
  if (revisions && [revisions, schemas, tools].every(isEmpty)) {
    reportError(
      revisions,
      'Nothing is left to generate: there are no revisions, "schemas" or "tools".',
      'Leave "revisions" out for all of them, or name those to generate.',
    );
  }
  return {
    revisions: revisions ? readList(revisions, oneOf(REVISIONS)) : DEFAULT_CONFIG.revisions,
    schemas: schemas ? readList(schemas, readSchema) : DEFAULT_CONFIG.schemas,
    ...(tools && { tools: readList(tools, readTools) }),
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
  reportError(
    item,
    `Invalid folder name ${quote(name)}.`,
    'Use letters, digits, "_", "-" and ".".',
  );
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

/** A URL, or a command and its arguments. */
function readServer(item: Read): string | string[] | undefined {
  const { value } = item;
  if (!Array.isArray(value)) {
    const url = readString(item);
    if (url === undefined || /^https?:\/\//i.test(url)) return url;
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

function readObject<K extends string>(item: Read, keys: readonly K[]): { [P in K]?: Read } {
  const { value, path, report } = item;
  if (!isObject(value)) {
    reportError(item, 'Must be an object.');
    return {};
  }
  const found: { [P in K]?: Read } = {};
  for (const [key, content] of Object.entries(value)) {
    const inner = { value: content, path: [...path, key], report };
    const known = keys.find((name) => name === key);
    if (known) found[known] = inner;
    else reportError(inner, `Unknown setting ${quote(key)}.`, suggestion(key, keys));
  }
  return found;
}

function readList<T>(item: Read, read: (item: Read) => T | undefined): T[] {
  const { value, path, report } = item;
  if (!Array.isArray(value)) {
    reportError(item, 'Must be a list.');
    return [];
  }
  const results = value.flatMap((content: unknown, index): T[] => {
    const result = read({ value: content, path: [...path, index], report });
    return result === undefined ? [] : [result];
  });
  return [...new Set(results)];
}

function oneOf<T extends string>(known: readonly T[]): (item: Read) => T | undefined {
  return (item) => {
    const found = known.find((name) => name === item.value);
    if (found === undefined) {
      const written = typeof item.value === 'string' ? item.value : '';
      const said = quote(JSON.stringify(item.value) ?? '').slice(1, -1);
      reportError(
        item,
        `Unknown value ${written ? quote(written) : said}.`,
        suggestion(written, known),
      );
    }
    return found;
  };
}

function readString(item: Read): string | undefined {
  if (typeof item.value === 'string' && item.value !== '') return item.value;
  reportError(item, 'Must be a non-empty string.');
  return undefined;
}

function readBoolean(item: Read): boolean | undefined {
  if (typeof item.value === 'boolean') return item.value;
  reportError(item, 'Must be true or false.');
  return undefined;
}

function reportError({ path, report }: Read, message: string, help?: string): void {
  const pointer = jsonPointer(path);
  report({ code: 'bad-config', severity: 'error', message, pointer, ...(help && { help }) });
}

function suggestion(written: string, known: readonly string[]): string {
  const meant = nearest(written, known);
  return meant ? `Did you mean ${quote(meant)}?` : `Known: ${known.join(', ')}.`;
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
