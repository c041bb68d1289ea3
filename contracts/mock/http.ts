import { createServer } from 'node:http';
import { createHostCheck, createOrigins } from '../../runtime/server/hosts.js';
import { closeServer, listen } from '../../runtime/server/listen.js';
import {
  BAD_REQUEST,
  createBacklog,
  createEndpoint,
  createReceiving,
  type Incoming,
  nodeListener,
  openSessions,
  refusal,
  type Reply,
  serveOn,
} from '../../runtime/transport/index.js';
import type { AnyServed } from './served.js';

export interface MockHttpOptions {
  readonly port: number;
  readonly host: string;
  readonly onError: (error: unknown) => void;
}

export interface MockHttp {
  readonly url: string;
  close(): Promise<void>;
}

const PATH = '/mcp';
/** Web pages and names that may reach a server on this machine. */
const LOCAL = ['localhost', '127.0.0.1', '[::1]'];
const MOST_BODY = 32 * 2 ** 20;
const MOST_WAITING = 64 * 2 ** 20;
const MOST_PENDING = 128 * 2 ** 20;

/** Everyone who can connect is the same caller. */
const CALLER = { who: undefined, owner: 'anybody', subject: 'anybody' };

/** Serves a mock over Streamable HTTP. Rejects with a `ListenError` when the port is in use. */
export async function serveMockHttp(
  served: AnyServed,
  options: MockHttpOptions,
): Promise<MockHttp> {
  const { port, host, onError } = options;
  const endpoint = createEndpoint({
    served,
    openSessions,
    backlog: createBacklog(MOST_WAITING),
    maxBodyBytes: MOST_BODY,
    maxPendingBytes: MOST_PENDING,
    onTooSlow: () => undefined,
  });
  const refuseHost = createHostCheck([...LOCAL, host.toLowerCase()]);
  const origins = createOrigins(LOCAL);

  async function answer(incoming: Incoming): Promise<Reply> {
    const foreign = refuseHost(incoming) ?? origins.refuse(incoming);
    if (foreign !== undefined) return foreign;
    if (incoming.path !== PATH) return refusal(404, BAD_REQUEST, 'Not found');
    if (incoming.method === 'OPTIONS') return origins.preflight(incoming);
    return origins.share(incoming, await endpoint.answer(incoming, CALLER));
  }

  const http = createServer();
  const receiving = createReceiving(MOST_WAITING);
  const refused = <R extends Reply>(reply: R): R => reply;
  serveOn(http, nodeListener({ answer, refused, receiving, onError }), refused);
  const origin = await listen(http, { port, host });
  return {
    url: `${origin}${PATH}`,
    close: () =>
      closeServer(http, () => {
        endpoint.close();
        return Promise.resolve();
      }),
  };
}
