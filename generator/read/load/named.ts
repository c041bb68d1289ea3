import { DiagnosticError } from '../../diagnostics/index.js';
import { documentUri, quote, UNNAMED } from '../../../json-schema/index.js';
import { documentsBelow } from './documents-below.js';
import type { Limits } from './limits.js';
import { isUrl, shownLocation } from './location.js';
import { readFile } from './source.js';
import type { Source } from './source.js';

/** A document that the user names, so that a `$ref` to its URI resolves. Nothing else is read. */
export interface Ref {
  /** Absolute, or relative to a schema that has no `$id`. A fragment is ignored. `ANY_URI` for those of a folder. */
  readonly uri: string;
  /** A path; never a URL, because references are not fetched. */
  readonly file: string;
}

/** The URI of a folder: its documents are known by their `$id`, and by their path from the folder. */
export const ANY_URI = '*';

export interface NamedDocument {
  /** As `documentUri` gives it. */
  readonly uri: string;
  readonly source: Source;
  /** Whether it is one of a folder, and need not be referred to. */
  readonly isSpare?: true;
}

/**
 * Reads the named files, relative to `folder`, sorted by URI, and then the documents of named folders that have other
 * URIs.
 *
 * @throws {DiagnosticError} `bad-ref` for a URI without a document or one that is named twice, and for a file in place
 *   of a folder; `not-found`, `too-large`.
 */
export function readRefs(refs: readonly Ref[], limits: Limits, folder?: string): NamedDocument[] {
  const named = readNamed(
    refs.filter(({ uri }) => uri !== ANY_URI),
    limits,
    folder,
  );
  const known = new Map(named.map((each) => [each.uri, each]));
  for (const { uri, file } of refs) {
    if (uri !== ANY_URI) continue;
    for (const found of documentsBelow(file, limits, folder)) {
      if (!known.has(found.uri)) known.set(found.uri, { ...found, isSpare: true });
    }
  }
  return [...known.values()];
}

function readNamed(refs: readonly Ref[], limits: Limits, folder?: string): NamedDocument[] {
  const files = new Map<string, string>();
  for (const { uri, file } of refs) {
    const absolute = documentUri(uri);
    if (absolute === UNNAMED) {
      throw badRef(file, `${quote(uri)} is not the URI of a document.`, 'Give the URI in full.');
    }
    const other = files.get(absolute);
    if (other !== undefined) {
      const both = `${quote(other)} and ${quote(file)}`;
      throw badRef(
        file,
        `Two files have the URI ${quote(absolute)}: ${both}.`,
        'Name one of them.',
      );
    }
    if (isUrl(file)) {
      const shown = shownLocation(file);
      throw badRef(
        shown,
        `${quote(shown)} is a URL.`,
        'Download it: references are never fetched.',
      );
    }
    files.set(absolute, file);
  }
  return [...files]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([uri, file]) => ({ uri, source: readFile(file, limits, folder) }));
}

function badRef(source: string, message: string, help: string): DiagnosticError {
  return new DiagnosticError([{ code: 'bad-ref', severity: 'error', message, source, help }]);
}
