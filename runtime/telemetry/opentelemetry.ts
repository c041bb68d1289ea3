/**
 * The part of `@opentelemetry/api` that the runtime uses. The declarations of the runtime cannot import that package,
 * because it is an optional dependency: they have to compile without it. A test assigns the real API to these types.
 */
export interface OpenTelemetryApi {
  readonly context: {
    active(): Context;
    with<T>(context: Context, work: () => T): T;
  };
  readonly propagation: {
    inject(context: Context, carrier: Record<string, string>): void;
    extract(context: Context, carrier: unknown): Context;
    fields(): string[];
  };
  readonly trace: {
    getTracer(name: string): Tracer;
    getTracerProvider(): object;
    getSpan(context: Context): Span | undefined;
    setSpan(context: Context, span: Span): Context;
    getSpanContext(context: Context): SpanContext | undefined;
  };
  readonly metrics: { getMeter(name: string): Meter };
  createNoopMeter(): object;
  readonly isSpanContextValid: (context: SpanContext) => boolean;
  readonly ProxyTracerProvider: new () => { getDelegateTracer(name: string): object | undefined };
  readonly ROOT_CONTEXT: Context;
  readonly SpanKind: Readonly<
    Record<'INTERNAL' | 'SERVER' | 'CLIENT' | 'PRODUCER' | 'CONSUMER', number>
  >;
  readonly SpanStatusCode: { readonly ERROR: number };
}

export interface Context {
  getValue(key: symbol): unknown;
  setValue(key: symbol, value: unknown): Context;
  deleteValue(key: symbol): Context;
}

export type Attributes = Record<string, string | number>;

export interface SpanContext {
  readonly traceId: string;
  readonly spanId: string;
  readonly traceFlags: number;
}

export interface SpanOptions {
  readonly kind?: number;
  readonly attributes?: Attributes;
  readonly links?: { context: SpanContext }[];
  /** Milliseconds since the epoch. */
  readonly startTime?: number;
}

export interface Tracer {
  startSpan(name: string, options: SpanOptions, parent: Context): Span;
}

export interface Span {
  spanContext(): SpanContext;
  isRecording(): boolean;
  setAttribute(name: string, value: string): unknown;
  setAttributes(attributes: Attributes): unknown;
  setStatus(status: { readonly code: number; readonly message?: string }): unknown;
  updateName(name: string): unknown;
  end(): void;
}

export interface Meter {
  createCounter(name: string, options: MetricOptions): Counter;
  createHistogram(name: string, options: MetricOptions): Histogram;
  createObservableGauge(name: string, options: MetricOptions): Gauge;
  addBatchObservableCallback(callback: (result: Observed) => void, gauges: Gauge[]): void;
  removeBatchObservableCallback(callback: (result: Observed) => void, gauges: Gauge[]): void;
}

export interface MetricOptions {
  readonly unit: string;
  readonly description: string;
  readonly advice?: { explicitBucketBoundaries: number[] };
}

export interface Counter {
  add(value: number, attributes?: Attributes): void;
}

export interface Histogram {
  record(value: number, attributes?: Attributes): void;
}

/** Its measurements are asked for. */
export interface Gauge {
  addCallback(callback: (result: { observe(value: number): void }) => void): void;
}

export interface Observed {
  observe(gauge: Gauge, value: number): void;
}
