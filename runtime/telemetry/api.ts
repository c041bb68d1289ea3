import type { OpenTelemetryApi, Context, MetricOptions } from './opentelemetry.js';

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

/** A trace context as text: `traceparent`, `tracestate` and `baggage`, with the usual propagators. */
export type Carrier = Readonly<Record<string, string>>;

interface Meta {
  readonly [key: string]: unknown;
}

/** `context` continued from the trace context that the peer sent in `_meta`, if it sent one. */
export function extracted(context: Context, meta: Meta): Context {
  return openTelemetry()?.propagation.extract(context, carrierIn(meta)) ?? context;
}

/** The trace context of `context`, to be stored or sent. */
export function carrierOf(context: Context): Carrier {
  const carrier: Record<string, string> = {};
  openTelemetry()?.propagation.inject(context, carrier);
  return carrier;
}

/** The message with the trace context in `params._meta`, where MCP's convention puts it without a prefix. */
export function withCarrier<M extends { readonly params?: unknown }>(
  message: M,
  carrier: Carrier,
): M {
  const params = (message.params ?? {}) as { readonly _meta?: object };
  return { ...message, params: { ...params, _meta: { ...params._meta, ...carrier } } };
}

/** Propagators expect strings, and a peer may send anything. */
function carrierIn(meta: Meta): Carrier {
  const carrier: Record<string, string> = {};
  for (const key of openTelemetry()?.propagation.fields() ?? []) {
    const value = Object.hasOwn(meta, key) ? meta[key] : undefined;
    if (typeof value === 'string') carrier[key] = value;
  }
  return carrier;
}

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

/** The instrumentation scope of all spans and metrics. */
export const SCOPE = 'mcp-codegen';

const OPERATION_BOUNDARIES = [0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10, 30, 60, 120, 300];

/** Options of a histogram of seconds. Default: the boundaries that the semantic conventions for MCP advise. */
export function seconds(description: string, boundaries = OPERATION_BOUNDARIES): MetricOptions {
  return { unit: 's', description, advice: { explicitBucketBoundaries: boundaries } };
}
