import { buildProtocol } from '../../generator/ir/index.js';
import type { Protocol } from '../../generator/ir/index.js';
import type { JsonSchema } from '../../json-schema/index.js';
import { documentOf } from '../support/protocol.js';

/** A protocol of these definitions. */
export function protocol(definitions: Readonly<Record<string, JsonSchema>>, name = 'x'): Protocol {
  return buildProtocol({ ...documentOf(definitions), name });
}
