import { createRequire } from 'node:module';

import type { OpenTelemetryApi } from './opentelemetry.js';

/** `@opentelemetry/api`, where it is installed: an optional dependency. */
export const opentelemetry: OpenTelemetryApi | undefined = load();

function load(): OpenTelemetryApi | undefined {
  try {
    return createRequire(import.meta.url)('@opentelemetry/api') as OpenTelemetryApi;
  } catch {
    return undefined;
  }
}
