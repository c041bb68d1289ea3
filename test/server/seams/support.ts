import { readFileSync } from 'node:fs';

import {
  InMemoryTransport,
  type JSONRPCMessage,
  McpServer,
  type Transport,
  WebStandardStreamableHTTPServerTransport,
} from '@modelcontextprotocol/server';
import { onTestFinished } from 'vitest';

import { META_KEYS } from '../../../generated/2026-07-28/protocol.js';
import type { JsonObject } from '../../../runtime/tasks/index.js';

/**
 * The tests of this folder try on the SDK alone what `runtime/server/sdk` relies on. When one fails after an
 * update of the SDK, its message names the version, the file that relies on it, and what stops working.
 */

const PACKAGE = new URL(
  '../../../node_modules/@modelcontextprotocol/server/package.json',
  import.meta.url,
);
const { version } = JSON.parse(readFileSync(PACKAGE, 'utf8')) as { readonly version: string };

export const SDK = `@modelcontextprotocol/server ${version}`;

/** What a failing test says. */
export function breaks(file: string, what: string): string {
  return `${SDK} changed: runtime/server/sdk/${file}: ${what}`;
}

export type Message = JsonObject & { readonly id?: unknown; readonly method?: string };

/** A server that declares tools and does not answer `tools/call` by itself. */
export function serverWith(prepare: (mcp: McpServer) => void): McpServer {
  const mcp = new McpServer({ name: 'seam', version: '1' }, { capabilities: {} });
  // Declared in the constructor, McpServer would answer tools/call itself.
  mcp.server.registerCapabilities({ tools: {} });
  prepare(mcp);
  return mcp;
}

export const HANDSHAKE = {
  id: 'handshake',
  method: 'initialize',
  params: {
    protocolVersion: '2025-11-25',
    capabilities: {},
    clientInfo: { name: 'test', version: '1' },
  },
};

/** `_meta` of a request of 2026-07-28. */
export function envelope(capabilities: object = {}): JsonObject {
  return {
    [META_KEYS.protocolVersion]: '2026-07-28',
    [META_KEYS.clientInfo]: { name: 'test', version: '1' },
    [META_KEYS.clientCapabilities]: capabilities,
  };
}

/** A client by hand at the other end of a transport that `open` has taken. */
export interface Pipe {
  readonly got: readonly Message[];
  send(message: object): Promise<void>;
  /** Resolves with the response to a request. */
  request(message: object): Promise<Message>;
}

export async function pipe(open: (theirs: Transport) => Promise<unknown>): Promise<Pipe> {
  const [mine, theirs] = InMemoryTransport.createLinkedPair();
  const got: Message[] = [];
  const waiting = new Map<unknown, (message: Message) => void>();
  mine.onmessage = (incoming) => {
    const message = incoming as Message;
    got.push(message);
    if (message.method === undefined) waiting.get(message.id)?.(message);
  };
  await mine.start();
  await open(theirs);
  onTestFinished(() => mine.close());
  const send = (message: object): Promise<void> =>
    mine.send({ jsonrpc: '2.0', ...message } as JSONRPCMessage);
  return {
    got,
    send,
    request: (message) =>
      new Promise((resolve, reject) => {
        waiting.set((message as Message).id, resolve);
        send(message).catch(reject);
      }),
  };
}

/** A session over HTTP, without a network. */
export interface HttpSession {
  readonly transport: WebStandardStreamableHTTPServerTransport;
  post(message: object, signal?: AbortSignal): Promise<Response>;
  get(): Promise<Response>;
}

export async function httpSession(mcp: McpServer): Promise<HttpSession> {
  const transport = new WebStandardStreamableHTTPServerTransport({
    sessionIdGenerator: () => 'session',
  });
  await mcp.connect(transport);
  onTestFinished(() => mcp.close());
  const headers = (): Record<string, string> => ({
    'content-type': 'application/json',
    accept: 'application/json, text/event-stream',
    ...(transport.sessionId !== undefined && {
      'mcp-session-id': transport.sessionId,
      'mcp-protocol-version': '2025-11-25',
    }),
  });
  const url = 'http://127.0.0.1/mcp';
  return {
    transport,
    post: (message, signal) =>
      transport.handleRequest(
        new Request(url, {
          method: 'POST',
          headers: headers(),
          body: JSON.stringify({ jsonrpc: '2.0', ...message }),
          ...(signal && { signal }),
        }),
      ),
    get: () => transport.handleRequest(new Request(url, { headers: headers() })),
  };
}
