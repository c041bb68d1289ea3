import { randomUUID } from 'node:crypto';

import { NodeStreamableHTTPServerTransport } from '@modelcontextprotocol/node';
import type { McpServer } from '@modelcontextprotocol/server';

import { sdkServer } from './sdk-server.js';
import { serveSessions } from './sessions.js';

/** Sessions that follow an item. The SDK leaves it to its users to keep them. */
const followers = new Map<string, Set<McpServer>>();

/**
 * The SDK alone, without our runtime, in sessions. It answers with JSON, which is faster, or with event streams, without which
 * it drops what a call sends before its result.
 */
export function startSdk(answers: 'json' | 'streams'): Promise<string> {
  return serveSessions<NodeStreamableHTTPServerTransport>(async (sessions) => {
    const transport = new NodeStreamableHTTPServerTransport({
      sessionIdGenerator: () => randomUUID(),
      enableJsonResponse: answers === 'json',
      onsessioninitialized: (id) => void sessions.set(id, transport),
      onsessionclosed: (id) => void sessions.delete(id),
    });
    const server = sdkServer({
      isModern: false,
      updated(uri) {
        for (const each of followers.get(uri) ?? []) void each.server.sendResourceUpdated({ uri });
      },
    });
    server.server.setRequestHandler('resources/subscribe', ({ params: { uri } }) => {
      const known = followers.get(uri);
      if (known === undefined) followers.set(uri, new Set([server]));
      else known.add(server);
      return {};
    });
    server.server.setRequestHandler('resources/unsubscribe', ({ params: { uri } }) => {
      followers.get(uri)?.delete(server);
      return {};
    });
    server.server.onclose = () => {
      for (const each of followers.values()) each.delete(server);
    };
    await server.connect(transport);
    return transport;
  });
}
