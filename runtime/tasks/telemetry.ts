import {
  type Attributes,
  carrierOf,
  type Context,
  contextOf,
  onceSetUp,
  type OpenTelemetryApi,
  SCOPE,
  type Span,
} from '../telemetry/index.js';
import { TaskError } from './errors.js';
import { createMeasures } from './measures.js';
import { messageOf } from './outcome.js';
import type { Patch } from './transitions.js';
import { type TaskSummary, workStatus } from './record.js';
import { NO_TELEMETRY, type Telemetry } from './recorder.js';

export function createTelemetry(): Telemetry {
  return onceSetUp(NO_TELEMETRY, telemetryThrough);
}

function telemetryThrough(api: OpenTelemetryApi): Telemetry {
  const { context, isSpanContextValid, propagation, ROOT_CONTEXT, trace } = api;
  const { SpanKind, SpanStatusCode } = api;
  const tracer = trace.getTracer(SCOPE);

  function inSpan<T>(
    name: string,
    parent: Context,
    options: { readonly kind: number; readonly attributes: Attributes },
    work: (inside: Context, span: Span) => Promise<T>,
  ): Promise<T> {
    const span = tracer.startSpan(name, options, parent);
    // Without a tracer there is no span to pass on, and contexts are not free.
    if (!isSpanContextValid(span.spanContext())) return work(parent, span);
    const inside = trace.setSpan(parent, span);
    return context.with(inside, async () => {
      try {
        return await work(inside, span);
      } catch (error) {
        span.setAttribute('error.type', errorTypeOf(error));
        span.setStatus({ code: SpanStatusCode.ERROR, message: messageOf(error) });
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
    ...createMeasures(api),

    submit({ method, tool, meta }, create) {
      const attributes = requestAttributes(method, tool);
      const options = { kind: SpanKind.PRODUCER, attributes };
      const parent = contextOf(meta) ?? context.active();
      return inSpan('tasks.submit', parent, options, (inside) => create(carrierOf(inside)));
    },

    execute(task, work) {
      const attributes = { ...attributesOf(task), 'mcp.task.attempt': task.attempt };
      const options = { kind: SpanKind.CONSUMER, attributes };
      return inSpan('tasks.execute', originOf(task), options, async (_inside, span) => {
        const ending = await work();
        if (!span.isRecording()) return;
        const { status, statusMessage } = ending;
        if (status !== undefined) {
          const ended = { status, ...(statusMessage !== undefined && { statusMessage }) };
          span.setAttribute('mcp.task.status', workStatus(ended));
        }
        const error = errorTypeIn(ending);
        if (error === undefined) return;
        span.setAttribute('error.type', error);
        span.setStatus({
          code: SpanStatusCode.ERROR,
          ...(statusMessage !== undefined && { message: statusMessage }),
        });
      });
    },

    step(task, name, work) {
      const active = context.active();
      const parent = trace.getSpan(active) === undefined ? originOf(task) : active;
      const attributes = { ...attributesOf(task), 'mcp.task.step': name };
      return inSpan('tasks.step', parent, { kind: SpanKind.INTERNAL, attributes }, work);
    },

    retrieved(task) {
      if (task.trace === undefined) return;
      const caller = trace.getSpanContext(context.active());
      const links = caller === undefined ? [] : [{ context: caller }];
      tracer
        .startSpan('tasks.retrieve', { attributes: attributesOf(task), links }, originOf(task))
        .end();
    },
  };
}

function requestAttributes(method: string, tool: string | undefined): Attributes {
  return {
    'mcp.method.name': method,
    ...(tool !== undefined && {
      'gen_ai.operation.name': 'execute_tool',
      'gen_ai.tool.name': tool,
    }),
  };
}

function attributesOf(task: TaskSummary): Attributes {
  return { ...requestAttributes(task.method, task.tool), 'mcp.task.id': task.id };
}

function errorTypeOf(error: unknown): string {
  if (error instanceof TaskError) return error.reason;
  return error instanceof Error ? error.name : '_OTHER';
}

/** The class of error that a handler ended with: the code of a JSON-RPC error, or `tool_error`. */
function errorTypeIn({ outcome, statusMessage }: Patch): string | undefined {
  const [, code] = /^\{"error":\{"code":(-?\d+)/.exec(outcome ?? '') ?? [];
  // A handler's ending has a message only if it failed.
  return code ?? (statusMessage === undefined ? undefined : 'tool_error');
}
