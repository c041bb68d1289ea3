import type { JsonValue } from '../../json-schema/index.js';

/** Limits on tools, because servers are untrusted. Beyond them a schema accepts everything. */
export const TOOL_LIMITS = {
  /** Tools of one server. */
  tools: 1_000,
  /** Characters of a tool's name. */
  name: 256,
  /** Schemas and values within the schemas of one tool, and of all tools together. */
  nodes: 5_000,
  allNodes: 50_000,
  /** Levels of schemas. */
  depth: 50,
  /** Characters of a description. */
  description: 4_000,
} as const;

/** Whether a value has so many levels that functions which read it would exhaust the stack. */
export function isTooDeep(value: JsonValue): boolean {
  let level: JsonValue[] = [value];
  for (let depth = 0; level.length > 0; depth += 1) {
    if (depth > 2 * TOOL_LIMITS.depth) return true;
    level = level.flatMap((each) =>
      typeof each === 'object' && each !== null ? Object.values(each) : [],
    );
  }
  return false;
}
