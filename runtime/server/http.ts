import {
  type AuthInfo,
  createMcpHandler,
  hostHeaderValidationResponse,
  isJsonContentType,
  isLegacyRequest,
  localhostAllowedHostnames,
  localhostAllowedOrigins,
  originValidationResponse,
  readRequestBody,
  type ServerNotifier,
} from '@modelcontextprotocol/server';

import type { Authorization } from './auth.js';
import { listenOverHttp } from './listen-http.js';
import { ANYBODY, type Identification, ownerOf } from './principal.js';
import type { TaskServer } from './server.js';
import { createSessions, refusal, type SessionLimits } from './sessions.js';

export interface HttpOptions extends SessionLimits {
  /** Who may come in, and how they are told apart. */
  readonly auth?: Authorization;
  /**
   * Serves without authorization, to anybody who can reach the address. Tasks are then protected by
   * nothing but their ids, cannot be listed, and whoever knows an id may answer a task's questions.
   */
  readonly allowUnidentified?: boolean;
  /** Default: `/mcp`. */
  readonly path?: string;
  /** Default: `/health`. */
  readonly healthPath?: string;
  /** Host names under which the server may be called. Default: those of this machine. */
  readonly allowedHosts?: readonly string[];
  /** Host names of web pages that may call the server. Default: those of this machine. */
  readonly allowedOrigins?: readonly string[];
  /** Default 4 MiB. */
  readonly maxBodyBytes?: number;
  /** Open `subscriptions/listen` streams; default 10,000. */
  readonly maxSubscriptions?: number;
}

export interface HttpHandler {
  /** Tells open subscriptions that resources or prompts have changed. */
  readonly notify: Pick<ServerNotifier, 'promptsChanged' | 'resourcesChanged' | 'resourceUpdated'>;
  fetch(request: Request): Promise<Response>;
  /** Ends sessions and streams. The task server stays open. */
  close(): Promise<void>;
}

const DEFAULT_MAX_BODY = 4 * 2 ** 20;

/** Throws when requestors cannot be told apart and `allowUnidentified` does not say that this is meant. */
export function createHttpHandler(server: TaskServer, options: HttpOptions): HttpHandler {
  const { auth, path = '/mcp', healthPath = '/health' } = options;
  const { maxBodyBytes = DEFAULT_MAX_BODY, maxSubscriptions = 10_000 } = options;
  const identification = identify(server, options);
  const hosts = [...(options.allowedHosts ?? localhostAllowedHostnames())];
  const origins = [...(options.allowedOrigins ?? localhostAllowedOrigins())];
  const sessions = createSessions(() => server.connection('legacy', identification), options);
  const modern = createMcpHandler(() => server.connection('modern', identification), {
    legacy: 'reject',
    maxSubscriptions,
    maxRequestBodySize: maxBodyBytes,
    onerror: server.onError,
  });
  const listening = listenOverHttp(server, identification, modern.fetch, maxSubscriptions);
  let closing = false;

  async function serve(request: Request, authInfo: AuthInfo | undefined): Promise<Response> {
    const body = await readBody(request, maxBodyBytes);
    if (body instanceof Response) return body;
    if (await isLegacyRequest(body.request, body.value)) {
      const owner = authInfo === undefined ? ANYBODY : ownerOf(authInfo);
      return sessions.handle(body.request, body.value, owner, authInfo);
    }
    const extra = { parsedBody: body.value, ...(authInfo && { authInfo }) };
    return listening.fetch(body.request, extra);
  }

  return {
    notify: modern.notify,
    async fetch(request) {
      const { pathname } = new URL(request.url);
      if (pathname === healthPath) {
        return Response.json(
          { status: closing ? 'closing' : 'ok' },
          { status: closing ? 503 : 200 },
        );
      }
      const refused =
        hostHeaderValidationResponse(request, hosts) ?? originValidationResponse(request, origins);
      if (refused !== undefined) return refused;
      const metadata = auth?.metadata(request);
      if (metadata !== undefined) return metadata;
      if (pathname !== path) return refusal(404, -32000, 'Not found');
      if (closing) return refusal(503, -32000, 'The server is shutting down');
      const authInfo = await auth?.authenticate(request);
      if (authInfo instanceof Response) return authInfo;
      return serve(request, authInfo);
    },
    async close() {
      closing = true;
      listening.close();
      await Promise.all([sessions.close(), modern.close()]);
    },
  };
}

function identify(server: TaskServer, options: HttpOptions): Identification {
  if (options.auth !== undefined) return 'authorization';
  if (options.allowUnidentified !== true) {
    throw new TypeError(
      'HTTP needs authorization: set `auth`, or `allowUnidentified: true` to serve anybody who can reach the address',
    );
  }
  server.onError(
    new Error(
      'Serving without authorization: anybody who knows the id of a task may read, answer and cancel it',
    ),
  );
  return ANYBODY;
}

interface Body {
  readonly request: Request;
  readonly value: unknown;
}

/** Reads a body once, for routing and for whoever serves it. */
async function readBody(request: Request, maxBytes: number): Promise<Body | Response> {
  if (request.method !== 'POST') return { request, value: undefined };
  if (!isJsonContentType(request.headers.get('content-type'))) {
    return refusal(415, -32000, 'Content-Type must be application/json');
  }
  const body = await readRequestBody(request, maxBytes);
  if (body.tooLarge) return refusal(413, -32000, `The body is larger than ${maxBytes} bytes`);
  try {
    return { request, value: JSON.parse(body.text) };
  } catch {
    return refusal(400, -32700, 'The body is not JSON');
  }
}
