import { isDeepStrictEqual } from 'node:util';
import { DiagnosticError, jsonPointer } from '../diagnostics/index.js';
import type { Correction, JsonValue } from '../ir/index.js';
import { ERRATA } from './errata.js';
import type { Erratum } from './errata.js';

type Json = { [key: string]: JsonValue };

/** The corrections for a revision, in the order in which they apply. */
export function errataFor(revision: string, errata: readonly Erratum[] = ERRATA): Erratum[] {
  return errata.filter(({ revisions }) => revisions.includes(revision));
}

/**
 * A copy of the document with the revision's corrections.
 *
 * @throws {DiagnosticError} `unused-erratum` when a correction does not find its original value.
 */
export function applyErrata(revision: string, json: Json, errata?: readonly Erratum[]): Json {
  const applying = errataFor(revision, errata);
  if (applying.length === 0) return json;
  const copy = structuredClone(json);
  for (const erratum of applying) apply(erratum, copy, revision);
  return copy;
}

/** The corrections of a revision at their places in the document. */
export function correctionsIn(
  revision: string,
  json: Json,
  errata?: readonly Erratum[],
): Correction[] {
  return errataFor(revision, errata).map(({ id, path, was, becomes, reason }) => ({
    id,
    pointer: jsonPointer([containerOf(json), ...path]),
    was,
    becomes,
    reason,
  }));
}

function containerOf(json: Json): string {
  return json['$defs'] === undefined ? 'definitions' : '$defs';
}

function apply(erratum: Erratum, json: Json, revision: string): void {
  const path = [containerOf(json), ...erratum.path];
  const last = path.pop() as string | number;
  let owner: unknown = json;
  for (const key of path) owner = (owner as Json | undefined)?.[key];
  const target = owner as Json | undefined;
  if (!target || !isDeepStrictEqual(target[last], erratum.was)) {
    throw new DiagnosticError([
      {
        code: 'unused-erratum',
        severity: 'error',
        source: revision,
        message: `The correction "${erratum.id}" does not find the value that it corrects.`,
        pointer: jsonPointer([...path, last]),
        help: 'Remove the correction for this revision, or adapt it to the schema.',
      },
    ]);
  }
  target[last] = erratum.becomes;
}
