export {
  administer,
  type AdministeredStore,
  type AdministrableStore,
  mayRetry,
  type PurgeQuery,
  type TaskAdministration,
} from './administration.js';
export type { TimerQueue } from './timer-queue.js';
export type { AuditEvent, AuditEventType, AuditSink, AuditSubject } from './audit.js';
export { base64Url, byteLength, randomText, sameText } from './bytes.js';
export { capExceeded, type TaskTotals } from './caps.js';
export { clockOf, systemClock, type Clock } from './clock.js';
export { deferred, type Deferred } from './deferred.js';
export { DIALECTS, type DialectPolicy } from './dialects.js';
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
  Progress,
  RunStep,
  StepContext,
  StepWork,
  TaskControls,
  TaskHandler,
} from './handler.js';
export { createHeap, type Heap } from './heap.js';
export type { TaskEvent, TaskListener } from './hub.js';
export { elicitationOf, outstanding, type Answers } from './input.js';
export { stepping, withSignal } from './controls.js';
export { merged } from './json.js';
export { DEFAULT_LIMITS, LONGEST_TTL, type TaskLimits } from './limits.js';
export { IDEMPOTENCY_META_KEY } from './meta.js';
export { parseProgressText, progressText } from './progress-text.js';
export { isRpcError, messageOf, toolErrorResult } from './outcome.js';
export {
  expiresAt,
  HISTORY_ENTRIES,
  outcomeOf,
  subjectKeyOf,
  type Caller,
  type CallerIdentity,
  type Dialect,
  type HistoryEntry,
  type Idempotency,
  type InputAnswer,
  type InputEntry,
  type JsonObject,
  type JsonText,
  type Outcome,
  type RpcError,
  type StepEntry,
  type TaskKey,
  type TaskRecord,
  type TaskStatus,
  type TaskSummary,
  workStatus,
} from './record.js';
export { NO_TELEMETRY, type Telemetry } from './recorder.js';
export { NO_COUNTS, type StatusCounts } from './status-counts.js';
export { hmacSha256, sha256 } from './sha256.js';
export { SlotUse } from './slot-use.js';
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
export { isTerminal, TASK_STATUSES, TRANSITIONS } from './transitions.js';
export { nextTurn } from './turn.js';
