import { createRequire } from 'node:module';

import type * as OpenTelemetry from '@opentelemetry/api';

export type OpenTelemetryApi = typeof OpenTelemetry;

/** `@opentelemetry/api`, where it is installed: an optional dependency. */
export const opentelemetry: OpenTelemetryApi | undefined = load();

function load(): OpenTelemetryApi | undefined {
  try {
    return createRequire(import.meta.url)('@opentelemetry/api') as OpenTelemetryApi;
  } catch {
    return undefined;
  }
}
