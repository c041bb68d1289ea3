import { buildProtocol } from '../../generator/ir/index.js';
import type { Protocol, SchemaDocument } from '../../generator/ir/index.js';
import type { JsonSchema, JsonValue } from '../../json-schema/index.js';
import { DEFAULT_LIMITS } from '../../generator/read/load/index.js';
import { readDocument } from '../../generator/read/load/document.js';

type Definitions = Readonly<Record<string, JsonSchema>>;

/** The protocol of a document written in a test; a definition with an error fails the test. */
export function protocolOf(definitions: Definitions): Protocol {
  return buildProtocol(documentOf(definitions));
}

export function documentOf(definitions: Definitions): SchemaDocument {
  const json = { $defs: definitions as Record<string, JsonValue> };
  const { document, diagnostics } = readDocument('test', json, { limits: DEFAULT_LIMITS });
  const errors = diagnostics.filter(({ severity }) => severity === 'error');
  if (errors.length > 0) throw new Error(JSON.stringify(errors, null, 2));
  return document;
}
