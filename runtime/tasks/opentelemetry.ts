import { createRequire } from 'node:module';

/** `@opentelemetry/api`, where it is installed: an optional dependency. */
export const opentelemetry: typeof import('@opentelemetry/api') | undefined = load();

function load(): typeof import('@opentelemetry/api') | undefined {
  try {
    return createRequire(import.meta.url)('@opentelemetry/api') as typeof opentelemetry;
  } catch {
    return undefined;
  }
}
