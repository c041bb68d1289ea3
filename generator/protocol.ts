import type { Diagnostic } from './diagnostics/index.js';
import { buildProtocol, EXCEPTIONS } from './ir/index.js';
import type { Exceptions, Protocol } from './ir/index.js';
import { isRevision, loadRevision, loadSchema, loadSource } from './load/index.js';
import type { LoadedSchema, LoadOptions, Source } from './load/index.js';

export interface ReadProtocol {
  readonly protocol: Protocol;
  /** What had to be left out, and why. */
  readonly diagnostics: readonly Diagnostic[];
}

/**
 * Reads a protocol: `'2025-11-25'`, `'./schema.json'` or `'https://example.com/schema.json'`.
 *
 * @throws {DiagnosticError} when nothing can be made of it.
 */
export async function readProtocol(
  subject: string,
  options: LoadOptions = {},
): Promise<ReadProtocol> {
  const bundled = isRevision(subject) || !/[/\\.]/.test(subject);
  return protocolOf(bundled ? loadRevision(subject, options) : await loadSchema(subject, options));
}

/** As `readProtocol`, when the text is at hand. */
export function protocolFromSource(source: Source, options: LoadOptions = {}): ReadProtocol {
  const bundled = isRevision(source.label);
  return protocolOf(bundled ? loadRevision(source.label, options) : loadSource(source, options));
}

/** A file that is only called like a revision has no claim to what we know about that one. */
const NO_EXCEPTIONS: Exceptions = {
  capabilities: [],
  senders: [],
  addedResults: [],
  extensions: {},
  metaKeys: [],
};

function protocolOf({ document, revision, diagnostics }: LoadedSchema): ReadProtocol {
  return { protocol: buildProtocol(document, revision ? EXCEPTIONS : NO_EXCEPTIONS), diagnostics };
}
