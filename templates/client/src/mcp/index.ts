/** All that the project uses of the protocol and of the task client. */
export type {
  ContentBlock,
  ElicitRequestFormParams,
  ElicitRequestURLParams,
  ElicitResult,
  PrimitiveSchemaDefinition,
} from '../../../../generated/2025-11-25/types.js';
export {
  type Answerers,
  boundedFetch,
  CallError,
  type CallHandle,
  createTaskClient,
  DEFAULT_MESSAGE_BYTES,
  type FollowOptions,
  type Session as ServerSession,
  type TaskClient,
  type TaskState,
  type ToolResult,
} from '../../../../runtime/client/index.js';
export type { JsonObject, Progress } from '../../../../runtime/tasks/index.js';
