import { formatTypeScript } from '../format/format.js';
import { emitTools } from './emit.js';
import type { TypedTool } from './tools.js';

export { TOOL_LIMITS } from './limits.js';
export { readTools } from './tools.js';
export type { ReadTools, TypedTool } from './tools.js';

/** The source of a module with a function for every tool, without a header. */
export async function toolsModule(tools: readonly TypedTool[]): Promise<string> {
  return await formatTypeScript(emitTools(tools));
}
