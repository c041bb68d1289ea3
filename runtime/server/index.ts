export * from './shared.js';
export { auditLines, lineWriter, type LineWriter } from './log/audit-lines.js';
export type { ServerLog } from './log/log.js';
export { traceFields } from '../telemetry/index.js';
export { inThread, type ThreadModule } from '../executors/threads/index.js';
export type { NodeRequest } from './http-options.js';
export { ListenError } from './listen.js';
export {
  createNodeHandler,
  type HttpHandle,
  type NodeHandler,
  serveHttp,
  type ServeHttpOptions,
} from './serve.js';
export { defineServer, type ServerDefinition, createTaskServer } from './task-server.js';
export type { TaskServer, TaskServerOptions } from './server.js';
export { serveStdio, type StdioHandle, type StdioStreams } from './stdio.js';
