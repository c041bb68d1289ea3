import { openTelemetry } from './api.js';
import type { Context } from './opentelemetry.js';

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
