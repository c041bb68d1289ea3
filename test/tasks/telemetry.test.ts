import { context, metrics, propagation, trace } from '@opentelemetry/api';
import { AsyncLocalStorageContextManager } from '@opentelemetry/context-async-hooks';
import { W3CTraceContextPropagator } from '@opentelemetry/core';
import {
  AggregationTemporality,
  DataPointType,
  InMemoryMetricExporter,
  MeterProvider,
  PeriodicExportingMetricReader,
} from '@opentelemetry/sdk-metrics';
import {
  BasicTracerProvider,
  InMemorySpanExporter,
  SimpleSpanProcessor,
} from '@opentelemetry/sdk-trace-base';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';

import { ANN, ending, refusal, rig, turns } from './support.js';

const spans = new InMemorySpanExporter();
const counts = new InMemoryMetricExporter(AggregationTemporality.CUMULATIVE);
const reader = new PeriodicExportingMetricReader({ exporter: counts });

beforeAll(() => {
  context.setGlobalContextManager(new AsyncLocalStorageContextManager().enable());
  propagation.setGlobalPropagator(new W3CTraceContextPropagator());
  const spanProcessors = [new SimpleSpanProcessor(spans)];
  trace.setGlobalTracerProvider(new BasicTracerProvider({ spanProcessors }));
  metrics.setGlobalMeterProvider(new MeterProvider({ readers: [reader] }));
});

beforeEach(() => spans.reset());

afterAll(async () => {
  await reader.shutdown();
  for (const api of [context, propagation, trace, metrics]) api.disable();
});

const traceId = '0af7651916cd43dd8448eb211c80319c';
const meta = { traceparent: `00-${traceId}-b7ad6b7169203331-01` };

describe('telemetry', () => {
  it("is one trace from the requestor's, through submission and execution, to retrieval", async () => {
    const tasks = await rig({
      inner: () => {
        trace.getTracer('handler').startSpan('handler work').end();
        return { content: [] };
      },
    });
    await ending(tasks, await tasks.start('inner', { meta }));
    await turns();
    const finished = spans.getFinishedSpans();
    expect(finished.map(({ name }) => name).sort()).toEqual([
      'handler work',
      'tasks.execute',
      'tasks.retrieve',
      'tasks.submit',
    ]);
    const named = (name: string) => finished.find((span) => span.name === name);
    for (const span of finished) expect(span.spanContext().traceId).toBe(traceId);
    const submitted = named('tasks.submit')?.spanContext().spanId;
    expect(named('tasks.execute')?.parentSpanContext?.spanId).toBe(submitted);
    expect(named('tasks.retrieve')?.parentSpanContext?.spanId).toBe(submitted);
    expect(named('handler work')?.parentSpanContext?.spanId).toBe(
      named('tasks.execute')?.spanContext().spanId,
    );
  });

  it('SEC-8 counts creations, ends, failed look-ups and over-eager polls', async () => {
    const tasks = await rig({ never: () => new Promise(() => undefined) });
    const { id } = await tasks.start('never');
    await refusal(tasks.engine.get(ANN, 'bogus'));
    for (let poll = 0; poll < 3; poll += 1) await tasks.engine.get(ANN, id);
    await tasks.engine.cancel(ANN, id);
    await reader.forceFlush();
    const latest =
      counts
        .getMetrics()
        .at(-1)
        ?.scopeMetrics.flatMap((scope) => scope.metrics) ?? [];
    const total = (name: string): number => {
      const metric = latest.find(({ descriptor }) => descriptor.name === name);
      return metric?.dataPointType === DataPointType.SUM
        ? metric.dataPoints.reduce((sum, { value }) => sum + value, 0)
        : NaN;
    };
    expect(total('mcp.tasks.created')).toBeGreaterThanOrEqual(1);
    expect(total('mcp.tasks.ended')).toBeGreaterThanOrEqual(1);
    expect(total('mcp.tasks.refused')).toBe(1);
    expect(total('mcp.tasks.eager_polls')).toBe(2);
  });
});
