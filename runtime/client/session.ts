import type { JsonObject } from '../tasks/index.js';

/**
 * An HTTP session of a server up to revision 2025-11-25. A server may bind tasks to their session, and
 * then finds them in that session only. JSON, to be stored beside references.
 */
export interface Session {
  /** For the transport: `new StreamableHTTPClientTransport(url, { sessionId })`. Treat it as a secret. */
  readonly id: string;
  /** The server's result of `initialize`, which a session answers only once. */
  readonly initialized: JsonObject;
}

/** The part of a result of `initialize` that a resumed session needs. */
export function initializedOf(result: JsonObject): JsonObject {
  const { protocolVersion, capabilities, serverInfo } = result;
  return { protocolVersion, capabilities, serverInfo };
}
