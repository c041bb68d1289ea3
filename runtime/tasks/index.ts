export {
  administer,
  type AdministeredStore,
  type AdministrableStore,
  mayRetry,
  type PurgeQuery,
  type TaskAdministration,
} from './administration.js';
export { type Clock, clockOf, nextTurn, systemClock } from './clock.js';
export { createHeap, type Heap } from './heap.js';
export type { TimerQueue } from './timer-queue.js';
export {
  type AuditEvent,
  type AuditEventType,
  type AuditSink,
  type AuditSubject,
  NO_TELEMETRY,
  type Telemetry,
} from './recorder.js';
export { base64Url, byteLength, merged, randomText, sameText } from './json.js';
export {
  capExceeded,
  DEFAULT_LIMITS,
  LONGEST_TTL,
  type TaskLimits,
  type TaskTotals,
} from './limits.js';
export { deferred, type Deferred } from './promises.js';
export {
  type Caller,
  type CallerIdentity,
  type Dialect,
  type DialectPolicy,
  DIALECTS,
  expiresAt,
  HISTORY_ENTRIES,
  type HistoryEntry,
  type Idempotency,
  type InputAnswer,
  type InputEntry,
  type JsonObject,
  type JsonText,
  type Outcome,
  outcomeOf,
  type RpcError,
  type StepEntry,
  subjectKeyOf,
  type TaskKey,
  type TaskRecord,
  type TaskStatus,
  type TaskSummary,
  workStatus,
} from './record.js';
export {
  createEngine,
  type CreateRequest,
  type Subscription,
  type TaskEngine,
  type TaskEngineOptions,
  type TaskPage,
} from './engine.js';
export {
  overLimit,
  TASK_ERROR_CODES,
  TaskError,
  taskError,
  type TaskErrorReason,
} from './errors.js';
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
export type {
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
export type { Progress } from './record.js';
export type { TaskEvent, TaskListener } from './hub.js';
export { elicitationOf, outstanding, type Answers } from './input.js';
export { SlotUse, stepping, withSignal } from './controls.js';
export { IDEMPOTENCY_META_KEY } from './meta.js';
export { parseProgressText, progressText } from './progress-text.js';
export { isRpcError, messageOf, toolErrorResult } from './outcome.js';
export { isTerminal, TASK_STATUSES, TRANSITIONS } from './transitions.js';
export { NO_COUNTS, type StatusCounts } from './status-counts.js';
export { hmacSha256, sha256 } from './sha256.js';
export { TransientSet } from './transient.js';
export { createTaskEngine } from './task-engine.js';
export { createTelemetry } from './telemetry.js';
export type {
  ExceededCap,
  Expiry,
  InsertCaps,
  Insertion,
  PageQuery,
  StoreAdministration,
  TaskChange,
  TaskQuery,
  TaskStore,
} from './store.js';
