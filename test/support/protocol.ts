import { buildProtocol } from '../../generator/ir/index.js';
import type { JsonSchema, Protocol } from '../../generator/ir/index.js';
import { DEFAULT_LIMITS } from '../../generator/load/index.js';
import { readDocument } from '../../generator/load/document.js';

/** The protocol of a document written in a test; a definition with an error fails the test. */
export function protocolOf(definitions: Readonly<Record<string, JsonSchema>>): Protocol {
  const json = { $defs: definitions as Record<string, Exclude<JsonSchema, boolean>> };
  const { document, diagnostics } = readDocument('test', json, DEFAULT_LIMITS);
  const errors = diagnostics.filter(({ severity }) => severity === 'error');
  if (errors.length > 0) throw new Error(JSON.stringify(errors, null, 2));
  return buildProtocol(document);
}
