import { buildProtocol } from '../../generator/ir/index.js';
import type { JsonSchema, Protocol } from '../../generator/ir/index.js';

/** A protocol of these definitions. */
export function protocol(definitions: Readonly<Record<string, JsonSchema>>, name = 'x'): Protocol {
  return buildProtocol({
    name,
    dialect: '2020-12',
    definitions: new Map(Object.entries(definitions)),
  });
}
