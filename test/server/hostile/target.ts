import { getRequestListener } from '@hono/node-server';

import {
  createHttpHandler,
  createTaskServer,
  type HttpOptions,
  type TaskServer,
} from '../../../runtime/server/index.js';
import { createNodeParts } from '../../../runtime/server/serve.js';
import { AT_ONCE, filled, type Listening, seed, served } from '../seeded.js';
import { legacy, type LegacyClient } from '../support.js';
import { authorization, tokenOf } from '../tokens.js';
import { testTools } from '../tools.js';

/** A server, and what it does beside its answers. */
export interface Target {
  readonly url: string;
  /** Of its tasks and sessions. Requests name them in braces. */
  readonly names: Map<string, string>;
  /** Audit, refusals and problems, as they come. */
  readonly events: readonly string[];
  readonly fill: (text: string) => string;
  /** Begins a session, of ann unless another token is given. */
  readonly begin: (token?: string) => Promise<LegacyClient>;
  /** Ends a session of any of the callers. */
  readonly finish: (sessionId: string) => Promise<void>;
}

/** Rates that no test reaches. */
const UNHURRIED = { readsPerSecond: 1e9, readBurst: 1e9, createsPerSecond: 1e9, createBurst: 1e9 };
export const MAX_BODY = 2 ** 14;

/** Of all whose sessions there may be. */
const TOKENS = [tokenOf('ann'), tokenOf('bob'), tokenOf('ann', 'other')];

/** What a server has room for. Each is small enough to be used up. */
export const ROOM = { waiters: 40, subscriptions: 30, sessions: 50 };

/** What reads the requests: Node's HTTP server, or a host that makes web requests of them. */
export type Adapter = 'node' | 'web';

export async function target(
  options: Partial<HttpOptions> = {},
  adapter: Adapter = 'node',
): Promise<Target> {
  const events: string[] = [];
  const server = await createTaskServer({
    name: 'test',
    version: '1.0.0',
    tools: testTools,
    limits: { ...UNHURRIED, listenersPerOwner: ROOM.waiters },
    audit({ at: _, ...event }) {
      if (AT_ONCE.has(event.type)) events.push(JSON.stringify(event));
    },
    onError: ({ message }) => void events.push(`problem ${message}`),
  });
  const all: HttpOptions = {
    auth: authorization,
    ...options,
    maxBodyBytes: MAX_BODY,
    // One subject gets half of them.
    sessions: 2 * ROOM.sessions,
    maxSubscriptions: ROOM.subscriptions,
    // A client that has left does not come back here.
    resumeMs: 20,
    onRefused: (each) => void events.push(`refused ${JSON.stringify(each)}`),
  };
  const listening = adapter === 'node' ? createNodeParts(server, all).handler : hosted(server, all);
  return targetAt(await served(server, listening), events);
}

function hosted(server: TaskServer, options: HttpOptions): Listening {
  const handler = createHttpHandler(server, options);
  const handle = getRequestListener((request) => handler.fetch(request), {
    overrideGlobalObjects: false,
  });
  return { handle, close: () => handler.close() };
}

/** A server that serves `testTools` at an address. */
export async function targetAt(url: string, events: readonly string[] = []): Promise<Target> {
  const names = new Map(await seed(url));

  const begin = (token = tokenOf('ann')): Promise<LegacyClient> =>
    legacy({ http: { fetch: (request) => fetch(url, sent(request)) } }, { token });
  async function finish(sessionId: string): Promise<void> {
    for (const token of TOKENS) {
      const headers = { authorization: `Bearer ${token}`, 'mcp-session-id': sessionId };
      const { status } = await fetch(url, { method: 'DELETE', headers });
      if (status === 200) return;
    }
  }
  names.set('open', '0');
  names.set('foreign-session', (await begin(tokenOf('bob'))).sessionId);
  const { sessionId } = await begin();
  await finish(sessionId);
  names.set('ended-session', sessionId);
  return { url, names, events, fill: (text) => filled(text, names), begin, finish };
}

function sent({ method, headers, body }: Request): RequestInit {
  return { method, headers, body, duplex: 'half' };
}
