export { onceSetUp } from './api.js';
export type { Attributes, Context, Observed, OpenTelemetryApi, Span } from './opentelemetry.js';
export type { Answer, Facts, Interruption, Message } from './attributes.js';
export { type Carrier, carrierOf } from './carrier.js';
export { traceFields, type TraceFields } from './trace-fields.js';
export { SCOPE, seconds } from './meter.js';
export { NO_OPERATIONS, type Operation, type Operations, RECORDS_NOTHING } from './operation.js';
export { contextOf, createOperations } from './operations.js';
