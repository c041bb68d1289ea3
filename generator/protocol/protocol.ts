import type { Diagnostic } from '../diagnostics/index.js';
import { buildProtocol } from '../ir/index.js';
import type { Protocol } from '../ir/index.js';
import { isRevision, loadRevision, loadSchema, loadSource } from '../read/load/index.js';
import { gapsOf, nameGapOf } from './gaps.js';
import { lossesOf } from './losses.js';
import type { LoadedSchema, LoadOptions, Source } from '../read/load/index.js';

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
