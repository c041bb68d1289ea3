export { onceSetUp } from './api.js';
export { type Carrier, carrierOf } from './carrier.js';
export {
  contextOf,
  createOperations,
  NO_OPERATIONS,
  type Operation,
  type Operations,
  RECORDS_NOTHING,
} from './operations.js';
export type { Attributes, Context, Observed, OpenTelemetryApi, Span } from './opentelemetry.js';
export type { OperationOutcome, Facts, Interruption, Message } from './attributes.js';
export { traceFields, type TraceFields } from './trace-fields.js';
export { SCOPE, seconds } from './meter.js';
