import { createRequire } from 'node:module';

import type * as OpenTelemetry from '@opentelemetry/api';

/** `@opentelemetry/api`, where it is installed: an optional dependency. */
export const opentelemetry: typeof OpenTelemetry | undefined = load();

function load(): typeof OpenTelemetry | undefined {
  try {
    return createRequire(import.meta.url)('@opentelemetry/api') as typeof OpenTelemetry;
  } catch {
    return undefined;
  }
}
