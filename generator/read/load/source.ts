import { existsSync, readFileSync, statSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import type * as Yaml from 'yaml';
import { DiagnosticError, fileText, systemFailure } from '../../diagnostics/index.js';
import { nearest } from '../../../json-schema/nearest.js';
import { quote } from '../../../json-schema/text.js';
import type { DiagnosticCode } from '../../diagnostics/index.js';
import { REVISIONS } from '../../ir/revisions/index.js';
import type { Revision } from '../../ir/revisions/index.js';
import type { Limits } from './limits.js';
import { isUrl, shownLocation, withAuthorization } from './location.js';
import { placeIn } from './pointer.js';
import { isYaml, jsonOfYaml } from './yaml.js';

/** Loaded when a YAML file is read, because most schemas are JSON. */
const require = createRequire(import.meta.url);

/** The text of a schema and where it came from. */
export interface Source {
  /** A revision, a path as the user wrote it, or a URL without what may be secret. */
  readonly label: string;
  /** JSON; that of a YAML file as JSON. */
  readonly text: string;
  /** The keys that lead to the schemas in it. Default: as the document says. */
  readonly at?: readonly string[];
}

export function isRevision(name: string): name is Revision {
  return REVISIONS.some((revision) => revision === name);
}

/** The package's folder, found from the sources and from `dist`. */
export function packageRoot(): string {
  let folder = dirname(fileURLToPath(import.meta.url));
  while (!existsSync(join(folder, 'package.json'))) folder = dirname(folder);
  return folder;
}

export function bundledSchemaPath(revision: Revision): string {
  return join(packageRoot(), 'schema', revision, 'schema.json');
}

/** @throws {DiagnosticError} `not-found`, which lists the bundled revisions. */
export function readRevision(revision: string): Source {
  if (!isRevision(revision)) {
    const meant = nearest(revision, REVISIONS);
    throw failure(
      'not-found',
      shownLocation(revision),
      `Unknown revision ${quote(shownLocation(revision))}.`,
      meant
        ? `Did you mean ${meant}?`
        : `Known: ${REVISIONS.join(', ')}. For another schema, give a file or a URL.`,
    );
  }
  const text = readFileSync(bundledSchemaPath(revision), 'utf8');
  // Git may have written the line ends of Windows.
  return { label: revision, text: text.replaceAll('\r\n', '\n') };
}

/**
 * Reads an `http:` or `https:` URL, or else a file, relative to `folder`. A JSON pointer may follow, `#/components/schemas`. A user and a password in the URL are sent as
 * HTTP's Basic authentication.
 *
 * @throws {DiagnosticError} `not-found`, `fetch-failed`, `not-json` or `too-large`.
 */
export async function readSource(
  location: string,
  limits: Limits,
  folder?: string,
): Promise<Source> {
  const { document, at } = placeIn(location, folder);
  const source = isUrl(document)
    ? await readUrl(document, limits)
    : readFile(document, limits, folder);
  return { ...source, ...(at && { at }) };
}

/** Whether a path is a folder's. */
export function isFolder(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false;
}

/** Reads a file that may be missing; otherwise as `readSource`. */
export function readIfPresent(path: string, limits: Limits): Source | undefined {
  return existsSync(path) ? readFile(path, limits) : undefined;
}

/**
 * Reads a path relative to `folder`, or else to the working directory. The label stays as the path was written.
 *
 * @throws {DiagnosticError} `not-found`, `not-json` or `too-large`.
 */
export function readFile(path: string, limits: Limits, folder?: string): Source {
  const file = folder === undefined ? path : resolve(folder, path);
  let size: number;
  try {
    const stats = statSync(file);
    if (!stats.isFile()) throw new Error('it is not a file');
    size = stats.size;
  } catch (error) {
    throw failure('not-found', path, `Cannot read ${quote(path)}: ${reason(error)}.`);
  }
  if (size > limits.bytes) throw tooLarge(path, limits);
  let bytes: Uint8Array;
  try {
    bytes = readFileSync(file);
  } catch (error) {
    throw failure('not-found', path, `Cannot read ${quote(path)}: ${reason(error)}.`);
  }
  return { label: path, text: asJson(fileText(bytes, path), path, limits) };
}

async function readUrl(location: string, limits: Limits): Promise<Source> {
  const label = shownLocation(location);
  const given = URL.canParse(location) ? new URL(location) : undefined;
  if (given?.protocol !== 'https:' && given?.protocol !== 'http:') {
    const problem = given ? 'only http and https URLs are supported' : 'the URL is not valid';
    throw failure(
      'fetch-failed',
      label,
      `Cannot read ${quote(label)}: ${problem}.`,
      'Give an http or https URL, or a file.',
    );
  }
  const { url, authorization } = withAuthorization(given);
  try {
    const response = await fetched(url, authorization, limits);
    if (!response.ok) throw new Error(`the server answered ${String(response.status)}`);
    return { label, text: asJson(await readBody(response, label, limits), label, limits) };
  } catch (error) {
    if (error instanceof DiagnosticError) throw error;
    if (isBadPort(error)) {
      const message = `Cannot read ${quote(label)}: fetch refuses port ${url.port}, as browsers do.`;
      throw failure('fetch-failed', label, message, 'Serve it at another port, or give a file.');
    }
    throw failure('fetch-failed', label, `Cannot read ${quote(label)}: ${reason(error)}.`);
  }
}

const REDIRECTS: readonly number[] = [301, 302, 303, 307, 308];
const MAX_REDIRECTS = 20;

/** Follows redirects, because schemas move, but none from https to where others could change the schema. */
async function fetched(
  url: URL,
  authorization: string | undefined,
  { timeout }: Limits,
): Promise<Response> {
  const signal = AbortSignal.timeout(timeout);
  const accept = 'application/schema+json, application/json, application/yaml';
  let at = url;
  for (let count = 0; count <= MAX_REDIRECTS; count += 1) {
    const sent = at.origin === url.origin && authorization !== undefined && { authorization };
    const response = await fetch(at, {
      redirect: 'manual',
      signal,
      headers: { accept, ...sent },
    });
    const location = REDIRECTS.includes(response.status) && response.headers.get('location');
    if (typeof location !== 'string') return response;
    await response.body?.cancel();
    const [from, next] = [at.protocol, new URL(location, at)];
    if (next.protocol !== 'https:' && !(next.protocol === 'http:' && from === 'http:'))
      throw new Error(`it redirects from ${from.slice(0, -1)} to ${next.protocol.slice(0, -1)}`);
    at = next;
  }
  throw new Error(`it redirects more than ${String(MAX_REDIRECTS)} times`);
}

/** Counts the bytes itself, because `content-length` may be wrong. */
async function readBody(response: Response, label: string, limits: Limits): Promise<string> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of (response.body ?? []) as AsyncIterable<Uint8Array>) {
    size += chunk.byteLength;
    if (size > limits.bytes) throw tooLarge(label, limits);
    chunks.push(chunk);
  }
  return fileText(Buffer.concat(chunks), label);
}

/** A YAML file may say much in few bytes. */
function asJson(text: string, label: string, limits: Limits): string {
  if (!isYaml(label)) return text;
  const { parse } = require('yaml') as typeof Yaml;
  const json = jsonOfYaml(parse, text, label);
  if (json.length > limits.bytes) throw tooLarge(label, limits);
  return json;
}

function tooLarge(label: string, limits: Limits): DiagnosticError {
  const megabytes = String(Math.floor(limits.bytes / (1024 * 1024)));
  return failure('too-large', label, `The document is larger than the limit of ${megabytes} MiB.`);
}

function failure(
  code: DiagnosticCode,
  source: string,
  message: string,
  help?: string,
): DiagnosticError {
  return new DiagnosticError([{ code, severity: 'error', message, source, ...(help && { help }) }]);
}

function isBadPort(error: unknown): boolean {
  return error instanceof Error && (error.cause as Error | undefined)?.message === 'bad port';
}

function reason(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const failed = systemFailure(error);
  if (failed) return failed.reason;
  const cause = error.cause instanceof Error ? ` (${error.cause.message})` : '';
  return (error.message + cause).replace(/\.$/, '');
}
