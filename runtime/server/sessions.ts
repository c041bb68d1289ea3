import { randomUUID } from 'node:crypto';

import type { AuthInfo } from '@modelcontextprotocol/server';

import { answersIn } from './connection.js';
import { type Asked, cancelNamed, type Door, type DoorSession } from './door/index.js';
import { TransientMap } from '../tasks/index.js';
import type { Answered, Incoming } from './incoming.js';
import { subjectKeyOf } from './principal.js';
import { refusal } from './refusals.js';
import {
  type Backlog,
  type ConnectedServer,
  isInitializeRequest,
  createSessionTransport,
  type SessionTransport,
} from './sdk/index.js';

export interface SessionOptions {
  /** Sessions in all; default 10,000. When half of them are taken, a subject gets up to 10. */
  readonly sessions?: number;
  /** Sessions of one owner; default 1,000. */
  readonly sessionsPerOwner?: number;
  /** Milliseconds without a request after which a session ends; default 30 minutes. */
  readonly sessionIdleMs?: number;
  /**
   * The header in which a reverse proxy sends the key that it routes by. The ids of new sessions begin with
   * this key and a dot. Up to 64 letters, digits, `-` and `_`; other values are ignored. Default: none.
   */
  readonly sessionKeyHeader?: string;
}

export interface Sessions {
  handle(
    incoming: Incoming,
    body: unknown,
    owner: string,
    authInfo: AuthInfo | undefined,
  ): Promise<Response>;
  /** The door's answer; undefined for a request that `handle` answers or refuses. */
  answer(door: Door, asked: Asked, owner: string | undefined): Promise<Answered> | undefined;
  close(): Promise<void>;
}

/** What the streams of all sessions share. */
export interface StreamOptions {
  readonly backlog: Backlog;
  readonly keepAliveMs: number;
  /** Called when a stream ends because its reader is too slow. */
  readonly onTooSlow: (owner: string) => void;
}

interface Session extends DoorSession {
  readonly owner: string;
  readonly mcp: ConnectedServer;
  readonly transport: SessionTransport;
  /** On the monotonic clock, so that setting the machine's time ends no session. */
  lastUsed: number;
  /** Running requests and open streams: a session that has any is not idle. */
  busy: number;
}

const MINUTE = 60_000;
/** Sessions that a subject may have when half of all are taken. */
const RESERVE = 10;

/**
 * Streamable HTTP of the revisions up to 2025-11-25. A session belongs to the identity that opened it and is
 * unknown to others. Tasks belong to identities, not to sessions.
 */
export function createSessions(
  connection: () => ConnectedServer,
  { backlog, keepAliveMs, onTooSlow }: StreamOptions,
  options: SessionOptions,
): Sessions {
  const { sessions: max = 10_000, sessionsPerOwner = 1_000, sessionIdleMs = 30 * MINUTE } = options;
  const sessions = new Map<string, Session>();
  const perOwner = new Map<string, number>();
  const perSubject = new Map<string, number>();
  const sweeper = setInterval(sweep, Math.min(MINUTE, sessionIdleMs));
  sweeper.unref();

  function sweep(): void {
    const idleSince = performance.now() - sessionIdleMs;
    for (const session of sessions.values()) {
      if (session.busy === 0 && session.lastUsed < idleSince) void session.mcp.close();
    }
  }

  function hasRoom(subject: string): boolean {
    if (sessions.size < max / 2) return true;
    return sessions.size < max && (perSubject.get(subject) ?? 0) < RESERVE;
  }

  async function begin(
    incoming: Incoming,
    owner: string,
    subject: string,
  ): Promise<Session | Response> {
    if ((perOwner.get(owner) ?? 0) >= sessionsPerOwner) {
      return refusal(429, -32000, 'Too many sessions');
    }
    if (!hasRoom(subject)) return refusal(503, -32000, 'Too many sessions');
    const key = keyIn(incoming, options.sessionKeyHeader);
    const id = key === undefined ? randomUUID() : `${key}.${randomUUID()}`;
    const mcp = connection();
    mcp.onClosed(() => {
      const ended = sessions.get(id);
      for (const each of [...(ended?.open.values() ?? []), ...(ended?.cancelled ?? [])]) {
        each.abandon();
      }
      if (!sessions.delete(id)) return;
      add(perOwner, owner, -1);
      add(perSubject, subject, -1);
    });
    add(perOwner, owner, 1);
    add(perSubject, subject, 1);
    const transport = createSessionTransport(mcp, {
      sessionId: id,
      keepAliveMs,
      backlog,
      onTooSlow: () => onTooSlow(owner),
    });
    const open: Session['open'] = new TransientMap();
    const answers = answersIn(mcp);
    const lastUsed = performance.now();
    const session: Session = {
      id,
      owner,
      mcp,
      transport,
      answers,
      open,
      cancelled: new Set(),
      lastUsed,
      busy: 0,
    };
    sessions.set(id, session);
    await transport.open();
    // A client that does not get the id cannot use or end the session.
    incoming.onDisconnect(() => void mcp.close());
    return session;
  }

  async function find(
    incoming: Incoming,
    body: unknown,
    owner: string,
    authInfo: AuthInfo | undefined,
  ): Promise<Session | Response> {
    const id = incoming.header('mcp-session-id');
    if (id === null) {
      const subject = authInfo === undefined ? owner : subjectKeyOf(authInfo);
      if (isInitializeRequest(body)) return begin(incoming, owner, subject);
      return refusal(400, -32000, 'Bad Request: Mcp-Session-Id header is required');
    }
    const session = sessions.get(id);
    return session?.owner === owner ? session : refusal(404, -32001, 'Session not found');
  }

  return {
    async handle(incoming, body, owner, authInfo) {
      const session = await find(incoming, body, owner, authInfo);
      if (session instanceof Response) return session;
      cancelNamed(session, body);
      return session.transport.handle(incoming.request(), body, authInfo, use(session));
    },
    answer(door, asked, owner) {
      const session = sessions.get(asked.incoming.header('mcp-session-id') ?? '');
      if (session === undefined || session.owner !== owner) return undefined;
      const end = use(session);
      const answered = door.answerIn(session, asked, end);
      if (answered === undefined) end();
      return answered;
    },
    async close() {
      clearInterval(sweeper);
      await Promise.all(Array.from(sessions.values(), ({ mcp }) => mcp.close()));
    },
  };
}

function add(counts: Map<string, number>, key: string, change: 1 | -1): void {
  const left = (counts.get(key) ?? 0) + change;
  if (left === 0) counts.delete(key);
  else counts.set(key, left);
}

const KEY = /^[\w-]{1,64}$/;

function keyIn(incoming: Incoming, header: string | undefined): string | undefined {
  const key = header === undefined ? null : incoming.header(header.toLowerCase());
  return key !== null && KEY.test(key) ? key : undefined;
}

function use(session: Session): () => void {
  session.busy += 1;
  session.lastUsed = performance.now();
  return () => {
    session.busy -= 1;
    session.lastUsed = performance.now();
  };
}
