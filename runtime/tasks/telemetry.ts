import type { Context } from '@opentelemetry/api';

import { opentelemetry } from './opentelemetry.js';
import type { JsonObject, TaskSummary } from './record.js';

const SCOPE = 'mcp-codegen.tasks';

/** OpenTelemetry spans and counts. They do nothing unless the user's process sets up an SDK. */
export interface Telemetry {
  /** Runs `create` under a span that continues the trace in the request's `_meta`. `create` stores that span. */
  submit<T>(
    method: string,
    meta: JsonObject,
    create: (carrier: Record<string, string>) => Promise<T>,
  ): Promise<T>;
  /** Runs the handler under a span in the trace of the submission. */
  execute<T>(task: TaskSummary, work: () => Promise<T>): Promise<T>;
  /** Records in the task's trace that its outcome was fetched, linked to the request that fetched it. */
  retrieved(task: TaskSummary): void;
  ended(task: TaskSummary): void;
  refused(reason: string): void;
  /** A poll within half the poll interval. */
  eagerPoll(): void;
}

/** For processes without `@opentelemetry/api`. */
const NO_TELEMETRY: Telemetry = {
  submit: (_method, _meta, create) => create({}),
  execute: (_task, work) => work(),
  retrieved: () => undefined,
  ended: () => undefined,
  refused: () => undefined,
  eagerPoll: () => undefined,
};

export function createTelemetry(): Telemetry {
  return opentelemetry ? telemetryThrough(opentelemetry) : NO_TELEMETRY;
}

function telemetryThrough({
  context,
  isSpanContextValid,
  metrics,
  propagation,
  ROOT_CONTEXT,
  SpanStatusCode,
  trace,
}: NonNullable<typeof opentelemetry>): Telemetry {
  const tracer = trace.getTracer(SCOPE);
  const meter = metrics.getMeter(SCOPE);
  const created = meter.createCounter('mcp.tasks.created');
  const endedCount = meter.createCounter('mcp.tasks.ended');
  const refusals = meter.createCounter('mcp.tasks.refused');
  const eagerPolls = meter.createCounter('mcp.tasks.eager_polls');
  const lifetime = meter.createHistogram('mcp.tasks.lifetime', { unit: 'ms' });

  function inSpan<T>(
    name: string,
    parent: Context,
    attributes: Record<string, string>,
    work: (inside: Context) => Promise<T>,
  ): Promise<T> {
    const span = tracer.startSpan(name, { attributes }, parent);
    // Without a tracer there is no span to pass on, and contexts are not free.
    if (!isSpanContextValid(span.spanContext())) return work(parent);
    const inside = trace.setSpan(parent, span);
    return context.with(inside, async () => {
      try {
        return await work(inside);
      } catch (error) {
        span.recordException(error instanceof Error ? error : String(error));
        span.setStatus({ code: SpanStatusCode.ERROR });
        throw error;
      } finally {
        span.end();
      }
    });
  }

  function originOf(task: TaskSummary): Context {
    return task.trace === undefined ? ROOT_CONTEXT : propagation.extract(ROOT_CONTEXT, task.trace);
  }

  return {
    submit(method, meta, create) {
      // The active span is the transport's; the requestor's own trace, if it sent one, comes first.
      const parent = propagation.extract(context.active(), carrierOf(meta));
      return inSpan('tasks.submit', parent, { 'mcp.method.name': method }, async (inside) => {
        const carrier: Record<string, string> = {};
        propagation.inject(inside, carrier);
        const result = await create(carrier);
        created.add(1, { 'mcp.method.name': method });
        return result;
      });
    },
    execute: (task, work) => inSpan('tasks.execute', originOf(task), attributesOf(task), work),
    retrieved(task) {
      if (task.trace === undefined) return;
      const caller = trace.getSpanContext(context.active());
      const links = caller === undefined ? [] : [{ context: caller }];
      tracer
        .startSpan('tasks.retrieve', { attributes: attributesOf(task), links }, originOf(task))
        .end();
    },
    ended(task) {
      const attributes = { 'mcp.method.name': task.method, 'mcp.task.status': task.status };
      endedCount.add(1, attributes);
      lifetime.record(task.updatedAt - task.createdAt, attributes);
    },
    refused: (reason) => refusals.add(1, { reason }),
    eagerPoll: () => eagerPolls.add(1),
  };
}

const CARRIER_KEYS = ['traceparent', 'tracestate', 'baggage'];

/** The trace context that a requestor may send. Propagators expect strings. */
function carrierOf(meta: JsonObject): Record<string, string> {
  const carrier: Record<string, string> = {};
  for (const key of CARRIER_KEYS) {
    const value = meta[key];
    if (typeof value === 'string') carrier[key] = value;
  }
  return carrier;
}

function attributesOf(task: TaskSummary): Record<string, string> {
  return {
    'mcp.method.name': task.method,
    'mcp.task.id': task.id,
    ...(task.tool !== undefined && { 'gen_ai.tool.name': task.tool }),
  };
}
