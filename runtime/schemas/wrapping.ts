import { WRAPPED_KEY } from '../peer/wire/wrapped-result.js';
import { moveReferences } from './references.js';

/** Hosts built on FastMCP unwrap results of a tool whose output schema has this. */
const FASTMCP_MARK = 'x-fastmcp-wrap-result';

/**
 * The JSON Schema of a result in sessions, where results are objects: the schema below {@link WRAPPED_KEY}. Its references
 * into itself lead there.
 */
export function wrappedSchema(schema: Record<string, unknown>): Record<string, unknown> {
  const { $schema, ...inner } = structuredClone(schema);
  moveReferences(inner, `#/properties/${WRAPPED_KEY}`);
  return {
    ...($schema !== undefined && { $schema }),
    type: 'object',
    properties: { [WRAPPED_KEY]: inner },
    required: [WRAPPED_KEY],
    [FASTMCP_MARK]: true,
  };
}
