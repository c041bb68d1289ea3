import type { Diagnostic } from './diagnostics/index.js';
import { buildProtocol, EXCEPTIONS } from './ir/index.js';
import type { Exceptions, Protocol } from './ir/index.js';
import { isRevision, loadRevision, loadSchema, loadSource } from './load/index.js';
import { gapsOf } from './protocol-gaps.js';
import type { LoadedSchema, LoadOptions, Source } from './load/index.js';

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
  return protocolOf(bundled ? loadRevision(subject, options) : await loadSchema(subject, options));
}

/** As `readProtocol`, from a text. */
export function protocolFromSource(source: Source, options: LoadOptions = {}): ReadProtocol {
  const bundled = isRevision(source.label);
  return protocolOf(bundled ? loadRevision(source.label, options) : loadSource(source, options));
}

/** A file with the name of a revision does not get that revision's exceptions. */
const NO_EXCEPTIONS: Exceptions = {
  capabilities: [],
  senders: [],
  addedResults: [],
  extensions: {},
  metaKeys: [],
};

function protocolOf({ document, revision, source, diagnostics }: LoadedSchema): ReadProtocol {
  const protocol = buildProtocol(document, revision ? EXCEPTIONS : NO_EXCEPTIONS);
  const gaps = gapsOf(protocol).map((gap) => ({ ...gap, source: source.label }));
  return { protocol, diagnostics: [...diagnostics, ...gaps] };
}
