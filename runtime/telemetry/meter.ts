import type { MetricOptions } from './opentelemetry.js';

/** The instrumentation scope of all spans and metrics. */
export const SCOPE = 'mcp-codegen';

const OPERATION_BOUNDARIES = [0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10, 30, 60, 120, 300];

/** Options of a histogram of seconds. Default: the boundaries that the semantic conventions for MCP advise. */
export function seconds(description: string, boundaries = OPERATION_BOUNDARIES): MetricOptions {
  return { unit: 's', description, advice: { explicitBucketBoundaries: boundaries } };
}
