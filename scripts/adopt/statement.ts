import { buildProtocol, factsFor } from '../../generator/ir/index.js';
import type { Protocol } from '../../generator/ir/index.js';
import type { Diagnostic } from '../../generator/diagnostics/index.js';
import { loadSource } from '../../generator/read/load/index.js';
import { gapsOf } from '../../generator/protocol/gaps.js';

/** A statement of `schema/`, and what applies to it beside its text. */
export interface Statement {
  readonly name: string;
  readonly schema: unknown;
  readonly protocol: Protocol;
  /** The ids of the corrections that apply. */
  readonly corrections: readonly string[];
  /** The facts beside the schema that apply, as `factsFor` returns them. */
  readonly facts: ReadonlySet<string>;
  /** What the schema does not say, and no fact says either. */
  readonly gaps: readonly Diagnostic[];
}

/** @throws {DiagnosticError} when the text is no schema */
export function statementIn(name: string, text: string): Statement {
  const { document } = loadSource({ label: name, text });
  const protocol = buildProtocol(document);
  return {
    name,
    schema: JSON.parse(text) as unknown,
    protocol,
    corrections: [...new Set(document.errata?.map(({ id }) => id))],
    facts: factsFor(document),
    gaps: gapsOf(protocol),
  };
}
