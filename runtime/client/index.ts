export type { DeclaredCapabilities } from './capabilities.js';
export { createTaskClient } from './client.js';
export type { Change, Wanted } from './changes.js';
export type { ClientChannel, OpenChannel } from './channel.js';
export type { LeftOut } from './entries.js';
export { CallError, Closed, type Failure } from './errors.js';
export type { AddressOptions, Host, ServerAddress, ServerCommand } from './host.js';
export { type ClientLimits, DEFAULT_CLIENT_LIMITS } from './limits.js';
export { printable } from './printable.js';
export { progressOf } from './progress.js';
export type { ReceiverOptions } from './receiver.js';
export { parseReference, type Reference } from './reference.js';
export type { ServerFacts } from './server-facts.js';
export type { Session } from './session.js';
export type { TaskStatusHandlers } from './statuses.js';
export type { ClientMethod, NoticeOf, NotificationName, ParamsOf, ResultOf } from './requests.js';
export type {
  RequestOptions,
  TaskClient,
  TaskClientOptions,
  TaskConnectOptions,
} from './task-client.js';
export type { Tool } from './tools.js';
export { type ClientTransport, statusOf } from './transport.js';
export { type Value, tooLong } from './transports/body.js';
export { type Challenge, challengeIn } from './transports/challenge.js';
export { HttpError, InsufficientScope, NotMcp } from './transports/errors.js';
export {
  type AuthProvider,
  DEFAULT_MESSAGE_BYTES,
  type FetchLike,
  type HttpOptions,
} from './transports/requests.js';
export type {
  InputHandlers,
  InputHandler,
  CallHandle,
  CallOptions,
  ContentBlock,
  FollowOptions,
  InputRequest,
  LogLevel,
  TaskState,
  ToolResult,
} from './types.js';
export { PROTOCOL_VERSIONS } from '../protocol.js';
export type { JsonObject, Progress } from '../tasks/index.js';
