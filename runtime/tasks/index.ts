/** What rooms of the runtime import: all that the package exports, and helpers that may change. */

export * from './public.js';
export { type AdministrableStore, mayRetry } from './administration.js';
export {
  ByteBudget,
  type Hold,
  groupLength,
  type GroupLimits,
  insertSize,
  updateSize,
  subjectKeyOf,
} from './limits.js';
export {
  clockOf,
  nextTurn,
  systemClock,
  type TimerQueue,
  roomFor,
  atMost,
  deferred,
  type Deferred,
} from './clock.js';
export { harmless, SlotUse, stepping, withSignal } from './controls.js';
export { createEngine, DEFAULT_DRAIN_MS } from './engine.js';
export { overLimit } from './errors.js';
export { elicitationOf, outstanding, type Answers } from './input.js';
export { base64Url, byteLength, jsonOf, merged, randomText, sameText } from './json.js';
export { IDEMPOTENCY_META_KEY, LONGEST_TOKEN } from './admission.js';
export { isRpcError, messageOf, toolErrorResult } from './outcome.js';
export { parseProgressText, progressText } from './run-status.js';
export { DIALECTS, HISTORY_ENTRIES, outcomeOf, workStatus } from './record.js';
export { type AuditSubject, NO_TELEMETRY, type Telemetry } from './recorder.js';
export { hmacSha256, sha256 } from './sha256.js';
export { CallSteps } from './steps.js';
export { createTelemetry } from './telemetry.js';
export { TransientSet } from './run.js';
export { TRANSITIONS } from '../rules/tasks.js';
