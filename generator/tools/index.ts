export { emitTools } from './emit.js';
export { parseToolList, printToolList } from './list.js';
export { isTooDeep, TOOL_LIMITS } from './limits.js';
export { emitToolValidators } from './validators.js';
export { readTools } from './tools.js';
export type { ReadTools, ToolSchema, TypedTool } from './tools.js';
