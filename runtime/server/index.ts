export { auditLines } from './audit-lines.js';
export type { ClientConfig } from './client-config.js';
export {
  bearer,
  type Authorization,
  type BearerOptions,
  type TokenVerifier,
  type VerifiedToken,
} from './auth.js';
export type { AuthInfo } from './auth-info.js';
export type { BoundToken, ConfirmBinding } from './binding.js';
export type { Completer, Completions } from './completion.js';
export { rpcError } from './errors.js';
export type { Notify } from './features/changes.js';
export type { LogLevel } from './features/logging.js';
export { createHttpHandler, type HttpHandler } from './http.js';
export type { HttpOptions, RefusedRequest } from './http-options.js';
export type { Identified, Identify, NodeRequest } from './identify.js';
export type { Ask } from './asks.js';
export type { TaskCapabilities } from './declaration.js';
export { preferSmallHeap } from './heap.js';
export { introspect, type IntrospectionOptions } from './introspection.js';
export { ListenError } from './listen.js';
export { lineWriter, type LineWriter } from './lines.js';
export type { ServerLog } from './log.js';
export { OAuthError } from './oauth-error.js';
export { logOptions, type LogOptions } from './log-options.js';
export {
  definePrompt,
  type PromptDefinition,
  type PromptOutput,
  type GetRequest,
  type ServerPrompt,
} from './prompt.js';
export { running, runUntilStopped, type RunningServer } from './program.js';
export { createNodeHandler, type NodeHandler } from './node-handler.js';
export type { RequestContext } from './request-context.js';
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
export { serveHealth, type HealthHandle, type ServeHealthOptions } from './serve-health.js';
export { serveHttp, type HttpHandle, type ServeHttpOptions } from './serve.js';
export type { TaskServer, TaskServerOptions } from './server.js';
export { createTaskServer } from './task-server.js';
export { traceFields } from '../telemetry/index.js';
export { ConfigError } from './config-error.js';
export { exitWithReason, type StartFailureOptions } from './start-failure.js';
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
