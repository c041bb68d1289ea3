import type { OpenTelemetryApi } from './opentelemetry.js';

/** Where the package keeps what an SDK sets up, for all of its copies in a process. */
const SET_UP = /* @__PURE__ */ Symbol.for('opentelemetry.js.api.1');

/** Null where the package is not installed. */
let loaded: OpenTelemetryApi | null | undefined;

/**
 * `@opentelemetry/api`, an optional dependency, once an SDK is set up. It is not loaded before: it takes a process 20 ms,
 * and many have it for another package of theirs that would use it.
 */
export function openTelemetry(): OpenTelemetryApi | undefined {
  if (loaded === undefined && SET_UP in globalThis) loaded = load() ?? null;
  return loaded ?? undefined;
}

/** What `through` makes once an SDK is set up, and until then `without`, function by function. */
export function onceSetUp<T extends object>(without: T, through: (api: OpenTelemetryApi) => T): T {
  let made: T | undefined;
  function current(): T {
    const api = made === undefined ? openTelemetry() : undefined;
    if (api !== undefined) made = through(api);
    return made ?? without;
  }
  type Forwarded = Record<string, (...args: unknown[]) => unknown>;
  const names = Object.keys(without);
  return Object.fromEntries(
    names.map((name) => [name, (...args: unknown[]) => (current() as Forwarded)[name]?.(...args)]),
  ) as T;
}

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
