import type { JsonObject } from '../tasks/index.js';
import type { AnySdkTransport } from '../peer/wire/sdk-transport.js';

/** What the client says of a message that it sends. */
export interface SendOptions {
  /** Aborted when the client needs no answer any more: ends the stream of the answer. */
  readonly requestSignal?: AbortSignal;
  /** Called when no answer comes any more, also after one has come. `reason`: what was wrong with the stream. */
  readonly onRequestStreamEnd?: (reason?: Error) => void;
  /** More headers, for HTTP. */
  readonly headers?: Readonly<Record<string, string>>;
}

/**
 * What carries messages to one server: any client transport of the official SDK (Streamable HTTP, HTTP+SSE, stdio), or
 * an implementation of the same interface.
 */
export interface ClientTransport extends AnySdkTransport {
  /** Each request has a stream of its own, and ending that stream cancels the request. */
  readonly hasPerRequestStream?: boolean | undefined;
  /** Default: by what the transports of the SDK have. */
  readonly kind?: TransportKind;
  /** Ends the session at the server. */
  terminateSession?: (() => Promise<void>) | undefined;
}

/** `http`: Streamable HTTP. `sse`: the HTTP transport of 2024-11-05. `pipe`: stdio. */
export type TransportKind = 'http' | 'sse' | 'pipe' | 'other';

export function kindOf(transport: ClientTransport): TransportKind {
  if (transport.kind !== undefined) return transport.kind;
  if (transport.hasPerRequestStream === true) return 'http';
  if ('finishAuth' in transport) return 'sse';
  return 'stderr' in transport ? 'pipe' : 'other';
}

/** Replaces the SDK's error for an overlong line of a stdio server by one that names the option. */
export function explained(error: Error): Error {
  const [, most] = /^ReadBuffer exceeded maximum size of (\d+) bytes$/.exec(error.message) ?? [];
  if (most === undefined) return error;
  const limit = `${most} bytes (maxBufferSize)`;
  return new Error(`The server sent a message of more than ${limit}`, { cause: error });
}

/** The HTTP status in an error of a transport. The SDK's classes are not imported, because they load all of it. */
export function statusOf(error: unknown): number | undefined {
  if (!(error instanceof Error)) return undefined;
  if (brandOf(error) === 'mcp.UnauthorizedError') return 401;
  const { data } = error as { data?: { readonly status?: unknown } };
  if (typeof data?.status === 'number') return data.status;
  // The transport of 2024-11-05 says it in words only.
  const [, written] = /\(HTTP (\d{3})\)|Non-200 status code \((\d{3})\)/.exec(error.message) ?? [];
  return written === undefined ? undefined : Number(written);
}

/** Whether the SDK says that another attempt on this connection fails as well. */
export function isFinal(error: Error): boolean {
  return brandOf(error)?.startsWith('mcp.') === true && statusOf(error) === undefined;
}

function brandOf({ constructor }: Error): string | undefined {
  const { mcpBrand } = constructor as { readonly mcpBrand?: unknown };
  return typeof mcpBrand === 'string' ? mcpBrand : undefined;
}

/** The JSON-RPC error in the body of a refused HTTP request. */
export function errorInBody(error: unknown): JsonObject | undefined {
  const { data } = error as { data?: { readonly text?: unknown } };
  if (typeof data?.text !== 'string') return undefined;
  try {
    const { error: found } = JSON.parse(data.text) as { error?: unknown };
    const { code, message } = (found ?? {}) as JsonObject;
    if (!Number.isSafeInteger(code) || typeof message !== 'string') return undefined;
    return found as JsonObject;
  } catch {
    return undefined;
  }
}
