import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** One answer of the server. A function writes it by itself. */
export interface Answer {
  status: number;
  headers: Record<string, string>;
  body: Record<string, unknown> | string | ((response: ServerResponse) => void);
}

export type Name = 'resource' | 'metadata' | 'registration' | 'device' | 'token';
export type Answers = Record<Name, Answer> & {
  /** The parameters that the browser brings back. */
  redirect: Record<string, string>;
};

/** Makes one thing wrong. */
export type Spoil = (answers: Answers, origin: string) => void;

export interface Issuer {
  readonly url: string;
  readonly origin: string;
  /** The paths that were requested, and what was sent there. */
  readonly requests: { path: string; sent: string }[];
  close(): void;
}

/** A server and its authorization server, right but for what `spoil` changes. All its secrets begin with SECRET. */
export async function startIssuer(spoil: Spoil): Promise<Issuer> {
  const server = createServer((request, response) => {
    handle(request, response).catch(() => response.destroy());
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const origin = `http://127.0.0.1:${String((server.address() as AddressInfo).port)}`;
  const url = `${origin}/mcp`;
  const of = (body: Record<string, unknown>, status = 200): Answer => ({
    status,
    headers: { 'content-type': 'application/json' },
    body,
  });
  const answers: Answers = {
    resource: of({ resource: url, authorization_servers: [origin], scopes_supported: ['mcp'] }),
    metadata: of({
      issuer: origin,
      authorization_endpoint: `${origin}/authorize`,
      token_endpoint: `${origin}/token`,
      registration_endpoint: `${origin}/registration`,
      device_authorization_endpoint: `${origin}/device`,
      response_types_supported: ['code'],
      code_challenge_methods_supported: ['S256'],
      token_endpoint_auth_methods_supported: ['client_secret_post'],
      scopes_supported: ['mcp'],
    }),
    registration: of(
      {
        client_id: 'client',
        client_secret: 'SECRET-client',
        redirect_uris: ['http://127.0.0.1/callback'],
      },
      201,
    ),
    device: of({
      device_code: 'SECRET-device',
      user_code: 'ABCD',
      verification_uri: `${origin}/activate`,
      interval: 1,
      expires_in: 60,
    }),
    token: of({
      access_token: 'SECRET-access',
      token_type: 'Bearer',
      refresh_token: 'SECRET-refresh',
      scope: 'mcp',
    }),
    redirect: { code: 'SECRET-code' },
  };
  spoil(answers, origin);
  const requests: Issuer['requests'] = [];
  const names: Record<string, Name> = {
    '/.well-known/oauth-protected-resource/mcp': 'resource',
    '/.well-known/oauth-authorization-server': 'metadata',
    '/registration': 'registration',
    '/device': 'device',
    '/token': 'token',
  };

  async function handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { pathname: path, searchParams } = new URL(request.url ?? '', origin);
    let sent = '';
    for await (const chunk of request) sent += String(chunk);
    requests.push({ path, sent });
    if (path === '/authorize') {
      const target = new URL(searchParams.get('redirect_uri') ?? '');
      const given = { state: searchParams.get('state') ?? '', ...answers.redirect };
      for (const [name, value] of Object.entries(given)) target.searchParams.set(name, value);
      response.writeHead(302, { location: target.href }).end();
      return;
    }
    const name = names[path];
    if (name === undefined) {
      response.writeHead(path === '/mcp' ? 401 : 404).end();
      return;
    }
    const { status, headers, body } = answers[name];
    if (typeof body === 'function') return body(response);
    response.writeHead(status, headers);
    response.end(typeof body === 'string' ? body : JSON.stringify(body));
  }
  return {
    url,
    origin,
    requests,
    close() {
      server.closeAllConnections();
      server.close();
    },
  };
}
