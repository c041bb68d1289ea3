import type { Diagnostic } from '../diagnostics/index.js';
import { buildProtocol, type Protocol, factsFor, type SchemaDocument } from '../ir/index.js';
import {
  isRevision,
  loadRevision,
  loadSchema,
  loadSource,
  type LoadedSchema,
  type LoadOptions,
  type Source,
} from '../read/load/index.js';
import { gapsOf, nameGapOf } from './gaps.js';
import { quote } from '../../json-schema/text.js';

/** A protocol that was read, and the problems of its schema. */
export interface ReadProtocol {
  readonly protocol: Protocol;
  /** The definitions and messages that were left out, with reasons, and what the schema does not say. */
  readonly diagnostics: readonly Diagnostic[];
}

/**
 * Reads a protocol: `'2025-11-25'`, `'./schema.json'` or `'https://example.com/schema.json'`.
 *
 * @throws {DiagnosticError} when the schema cannot be read at all.
 */
export async function readProtocol(
  subject: string,
  options: LoadOptions = {},
): Promise<ReadProtocol> {
  const bundled = isRevision(subject) || !/[/\\.]/.test(subject);
  const loaded = bundled ? loadRevision(subject, options) : await loadSchema(subject, options);
  return protocolOf(loaded, options);
}

/** As `readProtocol`, from a text. */
export function protocolFromSource(source: Source, options: LoadOptions = {}): ReadProtocol {
  const bundled = isRevision(source.label);
  const loaded = bundled ? loadRevision(source.label, options) : loadSource(source, options);
  return protocolOf(loaded, options);
}

function protocolOf(loaded: LoadedSchema, { errata = true }: LoadOptions): ReadProtocol {
  const { document, source, diagnostics } = loaded;
  const protocol = buildProtocol(document);
  const found = [
    ...gapsOf(protocol),
    ...(loaded.isNamedByFile ? nameGapOf(protocol) : []),
    ...lossesOf(loaded, errata),
  ];
  return {
    protocol,
    diagnostics: [...diagnostics, ...found.map((each) => ({ ...each, source: source.label }))],
  };
}

/**
 * What no longer applies to a draft, of what is corrected in the revision that it is a draft of, and of what is
 * known about it beside the schema. A schema that is no draft has none.
 */
function lossesOf({ document, revision, draft }: LoadedSchema, errata: boolean): Diagnostic[] {
  if (draft === undefined || draft === revision) return [];
  const before = loadRevision(draft).document;
  return [
    ...(errata ? lostErrata(document, before, draft) : []),
    ...lostFacts(document, before, draft),
  ];
}

function lostErrata(document: SchemaDocument, before: SchemaDocument, draft: string): Diagnostic[] {
  const applied = new Set((document.errata ?? []).map(({ id }) => id));
  return (before.errata ?? [])
    .filter(({ id }) => !applied.has(id))
    .map(({ id, pointer, was }) => ({
      code: 'unused-erratum',
      severity: 'warning',
      message: `The correction ${quote(id)} of ${draft} no longer applies: ${JSON.stringify(was)} is not at its place.`,
      pointer,
      help: 'Check the place: either the schema is right now, or it needs another correction.',
    }));
}

function lostFacts(document: SchemaDocument, before: SchemaDocument, draft: string): Diagnostic[] {
  const used = factsFor(document);
  return [...factsFor(before)]
    .filter((fact) => !used.has(fact))
    .map((fact) => ({
      code: 'unused-fact',
      severity: 'warning',
      message: `A fact about ${draft} that its schema does not contain no longer applies: ${fact}.`,
      help: 'Check whether the fact still holds under another name.',
    }));
}
