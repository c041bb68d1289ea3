export { auditLines, lineWriter, type LineWriter } from '../log/audit-lines.js';
export type { ServerLog } from '../log/index.js';
export {
  type ClientConfig,
  exitWithReason,
  type HealthHandle,
  logOptions,
  type LogOptions,
  preferSmallHeap,
  running,
  type RunningServer,
  runUntilStopped,
  serveHealth,
  type ServeHealthOptions,
  type StartFailureOptions,
} from '../program/index.js';
export {
  type AuthInfo,
  type Authorization,
  bearer,
  type BearerOptions,
  type BoundToken,
  ConfigError,
  type ConfirmBinding,
  introspect,
  type IntrospectionOptions,
  OAuthError,
  type TokenVerifier,
  type VerifiedToken,
} from '../auth/index.js';
export type { Completer, Completions } from '../definitions/index.js';
export { rpcError } from './errors.js';
export type { Notify } from './features/changes.js';
export type { LogLevel, RequestContext } from './request-context.js';
export { createHttpHandler, type HttpHandler } from './http.js';
export type { HttpOptions, RefusedRequest } from './http-options.js';
export type { Identified, Identify, NodeRequest } from './http-options.js';
export type { Ask } from './asks.js';
export type { TaskCapabilities } from './capabilities.js';
export { ListenError } from './listen.js';
export {
  definePrompt,
  type PromptDefinition,
  type PromptOutput,
  type GetRequest,
  type ServerPrompt,
} from './prompt.js';
export {
  createNodeHandler,
  type HttpHandle,
  type NodeHandler,
  serveHttp,
  type ServeHttpOptions,
} from './serve.js';
export {
  defineResource,
  defineResourceTemplate,
  type ResourceDefinition,
  ResourceNotFound,
  type ResourceOutput,
  type ReadRequest,
  type ResourceTemplateDefinition,
  type ServerResource,
} from './resource.js';
export type { TaskServer, TaskServerOptions } from './server.js';
export { createTaskServer } from './task-server.js';
export { traceFields } from '../telemetry/index.js';
export { serveStdio, type StdioHandle, type StdioStreams } from './stdio.js';
export {
  defineTool,
  type ServerTool,
  type TaskSupport,
  type ToolCall,
  type ToolDefinition,
  type ToolOutput,
} from './tool.js';

// What the options and handlers of a server are made of.
export { inThread, type ThreadModule } from '../executors/threads/index.js';
export type {
  CallerIdentity,
  Dialect,
  Progress,
  TaskControls,
  TaskLimits,
  TaskStore,
  TaskSummary,
} from '../tasks/index.js';
