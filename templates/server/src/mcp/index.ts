/** All that the project uses of the protocol and of the task engine. */
export type { CallToolResult, ContentBlock, Tool } from '../../../../generated/2025-11-25/types.js';
export {
  auditLines,
  createTaskServer,
  defineTool,
  rpcError,
  type ServerTool,
  type Setup,
  type TaskServer,
  type TaskServerOptions,
  type TaskSupport,
  type ToolCall,
  type ToolDefinition,
} from '../../../../runtime/server/index.js';
export { inThread } from '../../../../runtime/executors/threads/index.js';
export type {
  Dialect,
  Progress,
  TaskControls,
  TaskLimits,
  TaskStore,
} from '../../../../runtime/tasks/index.js';

/** @when stdio */
export { serveStdio, type StdioHandle } from '../../../../runtime/server/index.js';

/** @when http */
export {
  type HttpHandle,
  serveHttp,
  type ServeHttpOptions,
} from '../../../../runtime/server/index.js';

/** @when bearer */
export {
  type Authorization,
  bearer,
  type BearerOptions,
  type VerifiedToken,
} from '../../../../runtime/server/index.js';

/** @when sqlite */
export { backupSqlite, openSqliteStore } from '../../../../runtime/stores/index.js';

/** @when memory */
export { createMemoryStore } from '../../../../runtime/stores/index.js';
