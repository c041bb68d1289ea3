import { context, metrics, propagation, trace } from '@opentelemetry/api';
import { AsyncLocalStorageContextManager } from '@opentelemetry/context-async-hooks';
import {
  CompositePropagator,
  W3CBaggagePropagator,
  W3CTraceContextPropagator,
} from '@opentelemetry/core';
import {
  AggregationTemporality,
  type DataPoint,
  InMemoryMetricExporter,
  type MetricData,
  MeterProvider,
  PeriodicExportingMetricReader,
} from '@opentelemetry/sdk-metrics';
import {
  BasicTracerProvider,
  InMemorySpanExporter,
  type ReadableSpan,
  SimpleSpanProcessor,
} from '@opentelemetry/sdk-trace-base';
import { afterAll, beforeAll, beforeEach } from 'vitest';

/** What the SDK of OpenTelemetry has exported, to memory. */
export interface Recorded {
  /** Spans that have ended since the test began. */
  spans(): readonly ReadableSpan[];
  /** Spans of this name. */
  named(name: string): readonly ReadableSpan[];
  /** The metrics of this process up to now. */
  metrics(): Promise<readonly MetricData[]>;
  /** The measurements of one metric up to now. */
  points(name: string): Promise<readonly DataPoint<unknown>[]>;
}

/** Sets the SDK of OpenTelemetry up for the tests of a file. */
export function recordTelemetry(): Recorded {
  const spans = new InMemorySpanExporter();
  const exporter = new InMemoryMetricExporter(AggregationTemporality.CUMULATIVE);
  const reader = new PeriodicExportingMetricReader({ exporter });

  beforeAll(() => {
    context.setGlobalContextManager(new AsyncLocalStorageContextManager().enable());
    const propagators = [new W3CTraceContextPropagator(), new W3CBaggagePropagator()];
    propagation.setGlobalPropagator(new CompositePropagator({ propagators }));
    const spanProcessors = [new SimpleSpanProcessor(spans)];
    trace.setGlobalTracerProvider(new BasicTracerProvider({ spanProcessors }));
    metrics.setGlobalMeterProvider(new MeterProvider({ readers: [reader] }));
  });
  beforeEach(() => spans.reset());
  afterAll(async () => {
    await reader.shutdown();
    for (const api of [context, propagation, trace, metrics]) api.disable();
  });

  const recorded: Recorded = {
    spans: () => spans.getFinishedSpans(),
    named: (name) => spans.getFinishedSpans().filter((span) => span.name === name),
    async metrics() {
      await reader.forceFlush();
      const latest = exporter.getMetrics().at(-1);
      return latest?.scopeMetrics.flatMap((scope) => scope.metrics) ?? [];
    },
    async points(name) {
      const all = await recorded.metrics();
      return all.find(({ descriptor }) => descriptor.name === name)?.dataPoints ?? [];
    },
  };
  return recorded;
}
