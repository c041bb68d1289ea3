export {
  onceSetUp,
  type Carrier,
  carrierOf,
  traceFields,
  type TraceFields,
  SCOPE,
  seconds,
  contextOf,
  createOperations,
  NO_OPERATIONS,
  type Operation,
  type Operations,
  RECORDS_NOTHING,
} from './operations.js';
export type { Attributes, Context, Observed, OpenTelemetryApi, Span } from './opentelemetry.js';
export type { OperationOutcome, Facts, Interruption, Message } from './attributes.js';
