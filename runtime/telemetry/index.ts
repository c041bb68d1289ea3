export { onceSetUp } from './api.js';
export type { Attributes, Context, Observed, OpenTelemetryApi, Span } from './opentelemetry.js';
export type { Answer, Facts, Interruption, Message } from './attributes.js';
export { type Carrier, carrierOf, contextOf, createOperations } from './operations.js';
export { traceFields, type TraceFields } from './trace-fields.js';
export { SCOPE, seconds } from './meter.js';
export { NO_OPERATIONS, type Operation, type Operations, RECORDS_NOTHING } from './operation.js';
