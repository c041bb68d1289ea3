import type { JsonObject } from '../tasks/index.js';

/**
 * A session of a server up to revision 2025-11-25, over HTTP. Servers may bind tasks to it, and then
 * their tasks are found in it only. JSON, to be stored beside references.
 */
export interface Session {
  /** For the transport: `new StreamableHTTPClientTransport(url, { sessionId })`. Treat it as a secret. */
  readonly id: string;
  /** What the server answered to `initialize`: it does so once in a session. */
  readonly initialized: JsonObject;
}

/** The part of an answer to `initialize` that a client needs again. */
export function initializedOf(result: JsonObject): JsonObject {
  const { protocolVersion, capabilities, serverInfo } = result;
  return { protocolVersion, capabilities, serverInfo };
}
