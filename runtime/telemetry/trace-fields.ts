import { openTelemetry } from './api.js';

/** The active span, under the names that OpenTelemetry gives to fields of log lines. */
export interface TraceFields {
  readonly trace_id?: string;
  readonly span_id?: string;
  /** Two hexadecimal digits; `01` when the trace is sampled. */
  readonly trace_flags?: string;
}

/** For each line of a logger, such as pino's `mixin`: ties it to its trace. Empty outside a trace. */
export function traceFields(): TraceFields {
  const api = openTelemetry();
  const span = api?.trace.getSpanContext(api.context.active());
  if (span === undefined) return {};
  const { traceId, spanId, traceFlags } = span;
  return {
    trace_id: traceId,
    span_id: spanId,
    trace_flags: traceFlags.toString(16).padStart(2, '0'),
  };
}
