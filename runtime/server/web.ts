/**
 * The server for places without Node: workers, Deno, Bun. It imports web standards and nothing else, and no code of a
 * revision: authors import the revisions that they serve, so that a bundle holds these alone. `server/index.ts` loads
 * revisions by their names instead, which bundlers cannot leave out.
 */

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
export type { Ask } from './asks.js';
export type { Completer, Completions } from '../definitions/index.js';
export type { TaskCapabilities } from './capabilities.js';
export { rpcError } from './errors.js';
export type { Notify } from './features/changes.js';
export type { LogLevel, RequestContext } from './request-context.js';
export { createHttpHandler, type HttpHandler } from './http.js';
export type { HttpOptions, RefusedRequest } from './http-options.js';
export type { Identified, Identify } from './http-options.js';
export { type Logged, loggedBy, type ServerLog } from '../log/index.js';
export {
  definePrompt,
  type PromptDefinition,
  type PromptOutput,
  type GetRequest,
  type ServerPrompt,
} from './prompt.js';
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
export type { ServedRevision } from './platform.js';
export type { TaskServer } from './server.js';
export {
  defineTool,
  type ServerTool,
  type TaskSupport,
  type ToolCall,
  type ToolDefinition,
  type ToolOutput,
} from './tool.js';
export { createTaskServer, type WebServerOptions } from './web-server.js';

// What the options and handlers of a server are made of.
export type {
  CallerIdentity,
  Dialect,
  Progress,
  TaskControls,
  TaskLimits,
  TaskStore,
  TaskSummary,
} from '../tasks/index.js';
