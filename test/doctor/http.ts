import { randomUUID } from 'node:crypto';
import { createServer } from 'node:http';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { answerOf, GOOD } from './server.js';
import type { Handlers } from './server.js';

/** How a server over HTTP differs from a careful one. */
export interface Habits {
  readonly takesOrigins?: boolean;
  readonly takesHosts?: boolean;
  /** Makes the id of a session. */
  readonly idOf?: (count: number) => string;
  readonly takesUnknownIds?: boolean;
  readonly keepsEnded?: boolean;
  /** The status for sessions that were ended (default: 404). */
  readonly endedStatus?: number;
  readonly token?: string;
  /** In place of a challenge with the address of the metadata. */
  readonly challenge?: string | undefined;
  /** The document at the address of the metadata; none for `undefined`. */
  readonly metadata?: ((url: string) => unknown) | undefined;
}

export interface Listening {
  readonly url: string;
  close(): Promise<void>;
}

const NO_SERVER = { send: () => undefined, close: () => undefined };
const METADATA = '/.well-known/oauth-protected-resource/mcp';

const CAREFUL = {
  idOf: () => randomUUID(),
  endedStatus: 404,
  metadata: (url: string): unknown => ({ resource: url, authorization_servers: [url] }),
} satisfies Habits;

/** A server of sessions over Streamable HTTP, on this machine. */
export async function listen(given: Habits = {}, handlers: Handlers = GOOD): Promise<Listening> {
  const habits = { ...CAREFUL, ...given };
  const { takesOrigins, takesHosts, idOf, takesUnknownIds, keepsEnded, token } = habits;
  const sessions = new Set<string>();
  const ended = new Set<string>();
  let url = '';
  let count = 0;

  /** The status with which a request is refused. */
  function refused({ headers, method }: IncomingMessage, isFirst: boolean): number | undefined {
    const { origin, host, authorization } = headers;
    if (origin !== undefined && takesOrigins !== true) return 403;
    if (host !== new URL(url).host && takesHosts !== true) return 403;
    if (token !== undefined && authorization !== `Bearer ${token}`) return 401;
    if (method === 'GET') return 405;
    const id = String(headers['mcp-session-id']);
    if (isFirst || (takesUnknownIds === true && !ended.has(id))) return undefined;
    if (ended.has(id)) return keepsEnded === true ? undefined : habits.endedStatus;
    return sessions.has(id) ? undefined : 404;
  }

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    if (request.url === METADATA) {
      const document = habits.metadata?.(url);
      response.statusCode = document === undefined ? 404 : 200;
      return void response.end(JSON.stringify(document));
    }
    let text = '';
    for await (const chunk of request.setEncoding('utf8')) text += String(chunk);
    const message = text === '' ? {} : (JSON.parse(text) as { method?: string });
    const isFirst = message.method === 'initialize' || message.method === 'server/discover';
    const status = refused(request, isFirst);
    if (status !== undefined) {
      const address = `Bearer resource_metadata="${new URL(METADATA, url).href}"`;
      const challenge = 'challenge' in given ? given.challenge : address;
      if (status === 401 && challenge !== undefined) {
        response.setHeader('www-authenticate', challenge);
      }
      response.statusCode = status;
      return void response.end();
    }
    const id = String(request.headers['mcp-session-id']);
    if (request.method === 'DELETE') {
      sessions.delete(id);
      ended.add(id);
      return void response.end();
    }
    const reply = await answerOf(handlers, message, NO_SERVER);
    response.statusCode = reply ? 200 : 202;
    if (message.method === 'initialize') {
      const own = idOf((count += 1));
      sessions.add(own);
      response.setHeader('mcp-session-id', own);
    }
    response.setHeader('content-type', 'application/json');
    response.end(reply && JSON.stringify(reply));
  }

  const server = createServer((request, response) => {
    answer(request, response).catch((error: unknown) => response.destroy(error as Error));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  url = `http://127.0.0.1:${String((server.address() as AddressInfo).port)}/mcp`;
  return {
    url,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
