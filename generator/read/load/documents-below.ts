import { readdirSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { DiagnosticError } from '../../diagnostics/index.js';
import { documentUri, isKeyword, isObject, quote } from '../../../json-schema/index.js';
import type { Limits } from './limits.js';
import { isFolder, readFile } from './source.js';
import type { Source } from './source.js';

export interface FoundDocument {
  /** As `documentUri` gives it. */
  readonly uri: string;
  readonly source: Source;
}

/** Files of one folder. */
const MOST_FILES = 5_000;

/**
 * The schemas of a folder and its folders, in JSON or YAML: by their `$id`, and by their path, against which relative
 * references resolve. Other files are left out, and so are links.
 *
 * @throws {DiagnosticError} `bad-ref` when there is no such folder; `too-large` for too many files.
 */
export function documentsBelow(path: string, limits: Limits, folder = '.'): FoundDocument[] {
  const root = resolve(folder, path);
  if (!isFolder(root)) {
    throw refused('bad-ref', path, `${quote(path)} is no folder.`, HELP);
  }
  const files = dataFilesBelow(root);
  if (files.length > MOST_FILES) {
    const message = `${quote(path)} has more than ${MOST_FILES.toLocaleString('en')} files.`;
    throw refused('too-large', path, message, 'Name the documents: --ref <uri>=<file>.');
  }
  return files.flatMap((file) => documentsIn(file, path, limits, folder));
}

const HELP = 'Give a folder with schemas, or <uri>=<file>.';

/** The paths of the JSON and YAML files below a folder, relative to it, without links and installed packages. */
export function dataFilesBelow(root: string): string[] {
  return [...walk(root, '')].sort();
}

function* walk(root: string, folder: string): Generator<string> {
  for (const entry of readdirSync(join(root, folder), { withFileTypes: true })) {
    const path = folder === '' ? entry.name : `${folder}/${entry.name}`;
    if (entry.isDirectory() && entry.name !== 'node_modules') yield* walk(root, path);
    else if (entry.isFile() && /\.(?:json|ya?ml)$/i.test(entry.name)) yield path;
  }
}

function documentsIn(file: string, path: string, limits: Limits, folder: string): FoundDocument[] {
  const found = parsed(join(path, file), limits, folder);
  if (found === undefined || !looksLikeSchema(found.json)) return [];
  const { json, source } = found;
  const own = isObject(json) ? (json['$id'] ?? json['id']) : undefined;
  const uris = [file, ...(typeof own === 'string' ? [own] : [])].map(documentUri);
  return [...new Set(uris)].map((uri) => ({ uri, source }));
}

/** Other JSON, such as the manifest of what is generated there, would be a change of what it is generated from. */
function looksLikeSchema(json: unknown): boolean {
  return typeof json === 'boolean' || (isObject(json) && Object.keys(json).some(isKeyword));
}

/** Undefined for a file that is no JSON, no YAML, or larger than documents may be. */
function parsed(
  file: string,
  limits: Limits,
  folder: string,
): { readonly source: Source; readonly json: unknown } | undefined {
  try {
    const source = readFile(file, limits, folder);
    return { source, json: JSON.parse(source.text) as unknown };
  } catch {
    return undefined;
  }
}

function refused(
  code: 'bad-ref' | 'too-large',
  source: string,
  message: string,
  help: string,
): DiagnosticError {
  return new DiagnosticError([{ code, severity: 'error', message, source, help }]);
}
