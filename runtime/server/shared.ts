/** What the entry for Node and the one for other places both export. */

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
} from './auth/index.js';
export type { Ask } from '../rules/questions.js';
export type { Completer, Completions } from './definitions/index.js';
export type { TaskCapabilities } from './capabilities.js';
export type {
  Elicit,
  FormAnswer,
  FormQuestion,
  ToolControls as TaskControls,
  LogLevel,
  RequestContext,
} from './controls.js';
export { rpcError } from './errors.js';
export type { Notify } from './features/changes.js';
export {
  type AnyFormSchema,
  type FormContent,
  type FormSchema,
  type JsonSchema,
  jsonSchema,
  type ObjectSchema,
  type SchemaInput,
  type SchemaOutput,
  type StandardSchema,
  type ValueSchema,
} from '../schemas/index.js';
export { createHttpHandler, type HttpHandler } from './http.js';
export type { HttpOptions, Identified, Identify, RefusedRequest } from './http-options.js';
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
export {
  defineTool,
  type ServerTool,
  type TaskSupport,
  type ToolCall,
  type ToolDefinition,
  type ToolOutput,
} from './tool.js';

// What the options and handlers of a server are made of.
export type {
  CallerIdentity,
  Dialect,
  Progress,
  TaskLimits,
  TaskStore,
  TaskSummary,
} from '../tasks/index.js';
