import type { OpenTelemetryApi } from './opentelemetry.js';

/** `@opentelemetry/api`, where it is installed: an optional dependency. */
export const opentelemetry: OpenTelemetryApi | undefined = /* @__PURE__ */ load();

/** Hosts that have the modules of Node give them to a program that imports none. */
interface NodeHost {
  readonly process?: {
    getBuiltinModule?(name: 'node:module'): {
      createRequire(from: string): (name: string) => unknown;
    };
  };
}

/** No import, because bundlers would have to find the package, and Node loads imports later. */
function load(): OpenTelemetryApi | undefined {
  try {
    const { process: host } = globalThis as NodeHost;
    const node = host?.getBuiltinModule?.('node:module');
    return node?.createRequire(import.meta.url)('@opentelemetry/api') as OpenTelemetryApi;
  } catch {
    return undefined;
  }
}
