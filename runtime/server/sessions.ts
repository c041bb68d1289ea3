import { randomUUID } from 'node:crypto';

import {
  type AuthInfo,
  isInitializeRequest,
  WebStandardStreamableHTTPServerTransport,
} from '@modelcontextprotocol/server';

import type { ConnectedServer } from './connection.js';

export interface SessionLimits {
  /** Sessions in all; default 10,000. */
  readonly sessions?: number;
  /** Sessions of one owner; default 1,000. */
  readonly sessionsPerOwner?: number;
  /** Milliseconds without a request after which a session ends; default 30 minutes. */
  readonly sessionIdleMs?: number;
}

export interface Sessions {
  handle(
    request: Request,
    body: unknown,
    owner: string,
    authInfo: AuthInfo | undefined,
  ): Promise<Response>;
  close(): Promise<void>;
}

interface Session {
  readonly id: string;
  readonly owner: string;
  readonly mcp: ConnectedServer;
  readonly transport: WebStandardStreamableHTTPServerTransport;
  /** By the monotonic clock: setting the machine's time ends no session. */
  lastUsed: number;
  /** Requests under way and streams open: a session that has some is not idle. */
  busy: number;
}

const MINUTE = 60_000;
/** Bytes that may wait for the reader of a stream before more comes. */
const MAX_BACKLOG = 2 ** 20;
const COMMENT = new TextEncoder().encode(':\n\n');

/**
 * Streamable HTTP of the revisions up to 2025-11-25. A session belongs to the identity that began it:
 * to anybody else it is unknown, and nothing that matters hangs on it, for tasks belong to identities.
 */
export function createSessions(connection: () => ConnectedServer, limits: SessionLimits): Sessions {
  const { sessions: max = 10_000, sessionsPerOwner = 1_000, sessionIdleMs = 30 * MINUTE } = limits;
  const sessions = new Map<string, Session>();
  const perOwner = new Map<string, number>();
  const sweeper = setInterval(sweep, Math.min(MINUTE, sessionIdleMs));
  sweeper.unref();

  function sweep(): void {
    const idleSince = performance.now() - sessionIdleMs;
    for (const session of sessions.values()) {
      if (session.busy === 0 && session.lastUsed < idleSince) void session.mcp.close();
    }
  }

  async function begin(owner: string): Promise<Session | Response> {
    if (sessions.size >= max) return refusal(503, -32000, 'Too many sessions');
    const count = perOwner.get(owner) ?? 0;
    if (count >= sessionsPerOwner) return refusal(429, -32000, 'Too many sessions');
    const id = randomUUID();
    const mcp = connection();
    const transport = new WebStandardStreamableHTTPServerTransport({
      sessionIdGenerator: () => id,
    });
    const session: Session = { id, owner, mcp, transport, lastUsed: performance.now(), busy: 0 };
    const ended = mcp.server.onclose;
    mcp.server.onclose = () => {
      ended?.();
      if (!sessions.delete(id)) return;
      const left = (perOwner.get(owner) ?? 1) - 1;
      if (left === 0) perOwner.delete(owner);
      else perOwner.set(owner, left);
    };
    sessions.set(id, session);
    perOwner.set(owner, count + 1);
    await mcp.connect(transport);
    return session;
  }

  async function find(request: Request, body: unknown, owner: string): Promise<Session | Response> {
    const id = request.headers.get('mcp-session-id');
    if (id === null) {
      if (isInitializeRequest(body)) return begin(owner);
      return refusal(400, -32000, 'Bad Request: Mcp-Session-Id header is required');
    }
    const session = sessions.get(id);
    return session?.owner === owner ? session : refusal(404, -32001, 'Session not found');
  }

  return {
    async handle(request, body, owner, authInfo) {
      const session = await find(request, body, owner);
      if (session instanceof Response) return session;
      const done = use(session);
      const response = await session.transport.handleRequest(request, {
        ...(body !== undefined && { parsedBody: body }),
        ...(authInfo && { authInfo }),
      });
      // A handshake that was refused leaves nothing behind.
      if (session.transport.sessionId === undefined) await session.mcp.close();
      return bounded(response, request, done);
    },
    async close() {
      clearInterval(sweeper);
      await Promise.all(Array.from(sessions.values(), ({ mcp }) => mcp.close()));
    },
  };
}

function use(session: Session): () => void {
  session.busy += 1;
  session.lastUsed = performance.now();
  return () => {
    session.busy -= 1;
    session.lastUsed = performance.now();
  };
}

/**
 * The same response; `done` is called once its body has ended, or its reader has gone, at which the
 * stream ends at once: the next one of its session would be refused as a second.
 *
 * The SDK queues what it sends without end, so the queue is here, and a reader who falls too far
 * behind loses the stream. A client that misses something of a task looks it up.
 */
function bounded(response: Response, request: Request, done: () => void): Response {
  if (response.body === null) {
    done();
    return response;
  }
  const reader = (response.body as ReadableStream<Uint8Array>).getReader();
  const leave = (): void => void reader.cancel().catch(() => undefined);
  request.signal.addEventListener('abort', leave, { once: true });

  async function pump(controller: ReadableStreamDefaultController<Uint8Array>): Promise<void> {
    for (;;) {
      const { done: ended, value } = await reader.read();
      if (ended) return;
      if ((controller.desiredSize ?? 0) < -MAX_BACKLOG) {
        leave();
        throw new Error('The reader is too slow');
      }
      controller.enqueue(value);
    }
  }

  const body = new ReadableStream<Uint8Array>(
    {
      start(controller) {
        // Node sends the head with the first bytes: nobody has to wait for it until there is news.
        if (request.method === 'GET') controller.enqueue(COMMENT);
        pump(controller)
          .then(
            () => controller.close(),
            (error: unknown) => controller.error(error),
          )
          // Closed already, by whoever cancelled it.
          .catch(() => undefined)
          .finally(() => {
            // Also keeps the request, without which Node would collect what aborts its signal.
            request.signal.removeEventListener('abort', leave);
            done();
          });
      },
      cancel: leave,
    },
    new ByteLengthQueuingStrategy({ highWaterMark: 0 }),
  );
  return new Response(body, response);
}

export function refusal(status: number, code: number, message: string, data?: unknown): Response {
  const error = { code, message, ...(data !== undefined && { data }) };
  return Response.json({ jsonrpc: '2.0', id: null, error }, { status });
}
