/**
 * `@mcp-codegen/runtime/tasks`: what others need who write a tool's handler, a store or an executor, run the engine without a
 * server, or administer a store. A name here is kept stable.
 */

export {
  administer,
  type AdministeredStore,
  type PurgeQuery,
  type TaskAdministration,
} from './administration.js';
export type {
  AsJson,
  ElicitAnswer,
  HandlerContext,
  HandlerLookup,
  InputOptions,
  RunStep,
  StepContext,
  StepWork,
  TaskControls,
  TaskHandler,
} from './handler.js';
export { type Clock, createHeap, type Heap } from './clock.js';
export type {
  CreateRequest,
  Subscription,
  TaskEngine,
  TaskEngineOptions,
  TaskPage,
} from './engine.js';
export { TASK_ERROR_CODES, TaskError, taskError, type TaskErrorReason } from './errors.js';
export type {
  Abort,
  DirectCall,
  ExecutorHost,
  ExecutorUsage,
  Reservation,
  Slot,
  StepWrapper,
  TaskExecutor,
  TaskRun,
} from './executor.js';
export type { TaskEvent, TaskListener } from './hub.js';
export {
  capExceeded,
  DEFAULT_LIMITS,
  LONGEST_TTL,
  type TaskLimits,
  type TaskTotals,
} from './limits.js';
export {
  type Caller,
  type CallerIdentity,
  type Dialect,
  expiresAt,
  type HistoryEntry,
  type Idempotency,
  type InputAnswer,
  type InputEntry,
  type JsonObject,
  type JsonText,
  type Outcome,
  type Progress,
  type RpcError,
  type StepEntry,
  type TaskKey,
  type TaskRecord,
  type TaskStatus,
  type TaskSummary,
} from './record.js';
export type { AuditEvent, AuditEventType, AuditSink } from './recorder.js';
export {
  NO_COUNTS,
  type StatusCounts,
  type ExceededCap,
  type Expiry,
  type InsertCaps,
  type Insertion,
  type PageQuery,
  type StoreAdministration,
  type TaskChange,
  type TaskQuery,
  type TaskStore,
} from './store.js';
export { createTaskEngine } from './task-engine.js';
export { isTerminal, TASK_STATUSES } from '../rules/tasks.js';
