import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A transport of the SDK, of either version: one a session. */
export interface SessionTransport {
  handleRequest(request: IncomingMessage, response: ServerResponse): Promise<void>;
}

/** Serves sessions as in the SDK's documentation; `begin` makes a session and stores it by its id. */
export function serveSessions<T extends SessionTransport>(
  begin: (sessions: Map<string, T>) => Promise<T>,
): Promise<string> {
  const sessions = new Map<string, T>();
  const http = createServer((request, response) => {
    const id = request.headers['mcp-session-id'];
    const known = typeof id === 'string' ? sessions.get(id) : undefined;
    void (async () => (known ?? (await begin(sessions))).handleRequest(request, response))();
  });
  return listening(http);
}

/** Resolves with the URL of the server. */
export async function listening(http: Server): Promise<string> {
  await new Promise<void>((resolve) => http.listen(0, '127.0.0.1', resolve));
  return `http://127.0.0.1:${(http.address() as AddressInfo).port}/mcp`;
}
