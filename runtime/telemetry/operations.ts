import {
  type OperationOutcome,
  type Attributes,
  attributesOf,
  detailsOf,
  type Facts,
  type Interruption,
  type Message,
  messageIn,
  metaOf,
  outcomeOf,
  type Role,
  spanName,
  transportOf,
} from './attributes.js';
import type { Context, Histogram, OpenTelemetryApi, Span, MetricOptions } from './opentelemetry.js';

/** `side` is this process's role, and so which metrics get its measurements. */
export function createOperations(side: Role): Operations {
  return onceSetUp(NO_OPERATIONS, (api) => operationsThrough(api, side));
}

/** Marks a context that `received` has made: its span continues the trace of the peer already. */
const RECEIVED = /* @__PURE__ */ Symbol('mcp-codegen.received');

/** The trace that work for a request belongs to, where the request itself is all that is known of it. */
export function contextOf(meta: { readonly [key: string]: unknown }): Context | undefined {
  const active = openTelemetry()?.context.active();
  if (active === undefined) return undefined;
  return active.getValue(RECEIVED) === true ? active : extracted(active, meta);
}

function operationsThrough(api: OpenTelemetryApi, side: Role): Operations {
  const { context, SpanKind, trace } = api;
  const tracer = trace.getTracer(SCOPE);
  const meter = api.metrics.getMeter(SCOPE);
  const measures = meter !== api.createNoopMeter();
  const durations = {
    server: meter.createHistogram(
      'mcp.server.operation.duration',
      seconds('From the receipt of a request or notification until its answer is sent'),
    ),
    client: meter.createHistogram(
      'mcp.client.operation.duration',
      seconds('From the sending of a request until its answer is received'),
    ),
  };
  const sessions = meter.createHistogram(
    `mcp.${side}.session.duration`,
    seconds('From the opening of a session until its end'),
  );

  /** Whether anything records spans: an SDK may be set up after this module has loaded. */
  function traces(): boolean {
    const provider = trace.getTracerProvider();
    const isOurs = provider instanceof api.ProxyTracerProvider;
    return !isOurs || provider.getDelegateTracer(SCOPE) !== undefined;
  }

  function begin(role: Role, message: Message, facts: Facts, startedAt?: number) {
    const attributes = attributesOf(message, facts, role);
    const ambient = context.active();
    const parent = extracted(ambient, metaOf(message));
    const around = trace.getSpanContext(ambient);
    const isParent = around === undefined || around === trace.getSpanContext(parent);
    const span = tracer.startSpan(
      spanName(attributes),
      {
        kind: role === 'server' ? SpanKind.SERVER : SpanKind.CLIENT,
        attributes,
        // The span of the transport, such as the HTTP request.
        ...(!isParent && role === 'server' && { links: [{ context: around }] }),
        ...(startedAt !== undefined && { startTime: startedAt }),
      },
      parent,
    );
    if (span.isRecording()) span.setAttributes(detailsOf(message, facts));
    const inside = trace.setSpan(parent, span);
    const elapsed = startedAt === undefined ? 0 : Date.now() - startedAt;
    const duration = measures ? durations[role] : undefined;
    return {
      inside: role === 'server' ? inside.setValue(RECEIVED, true) : inside,
      ended: ender(api, { role, message, attributes, span, duration, elapsed }),
    };
  }

  return {
    received(message, facts, startedAt) {
      if (!measures && !traces()) return RECORDS_NOTHING;
      const { inside, ended } = begin('server', message, facts(), startedAt);
      return { run: (work) => context.with(inside, work), end: ended };
    },
    sent(message, facts) {
      if (!measures && !traces()) return { message, operation: RECORDS_NOTHING };
      const { inside, ended } = begin('client', message, facts());
      return {
        message: traces() ? withCarrier(message, carrierOf(inside)) : message,
        operation: { run: (work) => context.with(inside, work), end: ended },
      };
    },
    session() {
      if (!measures) return () => undefined;
      const began = performance.now();
      return (facts, problem) => {
        sessions.record((performance.now() - began) / 1_000, {
          ...(facts.revision !== undefined && { 'mcp.protocol.version': facts.revision }),
          ...transportOf(facts),
          ...(problem !== undefined && { 'error.type': problem }),
        });
      };
    },
  };
}

interface Begun {
  readonly role: Role;
  readonly message: Message;
  readonly attributes: Attributes;
  readonly span: Span;
  readonly duration: Histogram | undefined;
  /** Milliseconds that had passed when the span was begun. */
  readonly elapsed: number;
}

/** What ends an operation, once. */
function ender(
  { SpanStatusCode }: OpenTelemetryApi,
  { role, message, attributes, span, duration, elapsed }: Begun,
): (answer?: OperationOutcome) => void {
  const began = performance.now() - elapsed;
  let over = false;
  return (answer) => {
    if (over) return;
    over = true;
    const outcome = outcomeOf(message, answer, role);
    const all = { ...attributes, ...outcome };
    duration?.record((performance.now() - began) / 1_000, all);
    if (span.isRecording()) {
      span.setAttributes(outcome);
      span.updateName(spanName(all));
      if (outcome['error.type'] !== undefined) {
        const text = messageIn(answer);
        span.setStatus({
          code: SpanStatusCode.ERROR,
          ...(text !== undefined && { message: text }),
        });
      }
    }
    span.end();
  };
}

/** One request or notification, from its arrival to its answer. */
export interface Operation {
  /** Runs `work` in the operation's trace. */
  run<T>(work: () => T): T;
  /** The first call counts. */
  end(answer?: OperationOutcome): void;
}

export interface Operations {
  /** A message that a peer sent. `startedAt` is milliseconds since the epoch, for one that began before. */
  received(message: Message, facts: () => Facts, startedAt?: number): Operation;
  /** A request that is about to be sent: send the message that is returned, which carries the trace. */
  sent<M extends Message>(
    message: M,
    facts: () => Facts,
  ): { readonly message: M; readonly operation: Operation };
  /** A session begins. Call the function that is returned when it ends. */
  session(): (facts: Facts, problem?: Interruption) => void;
}

/** For processes without an SDK of OpenTelemetry. */
export const RECORDS_NOTHING: Operation = { run: (work) => work(), end: () => undefined };

/** For processes without OpenTelemetry. */
export const NO_OPERATIONS: Operations = {
  received: () => RECORDS_NOTHING,
  sent: (message) => ({ message, operation: RECORDS_NOTHING }),
  session: () => () => undefined,
};

/** Where the package keeps what an SDK sets up, for all of its copies in a process. */
const SET_UP = /* @__PURE__ */ Symbol.for('opentelemetry.js.api.1');

/** Null where the package is not installed. */
let loaded: OpenTelemetryApi | null | undefined;

/**
 * `@opentelemetry/api`, an optional dependency, once an SDK is set up. It is not loaded before: it takes a process 20 ms,
 * and many have it for another package of theirs that would use it.
 */
function openTelemetry(): OpenTelemetryApi | undefined {
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
function extracted(context: Context, meta: Meta): Context {
  return openTelemetry()?.propagation.extract(context, carrierIn(meta)) ?? context;
}

/** The trace context of `context`, to be stored or sent. */
export function carrierOf(context: Context): Carrier {
  const carrier: Record<string, string> = {};
  openTelemetry()?.propagation.inject(context, carrier);
  return carrier;
}

/** The message with the trace context in `params._meta`, where MCP's convention puts it without a prefix. */
function withCarrier<M extends { readonly params?: unknown }>(message: M, carrier: Carrier): M {
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
