import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';

export interface AuthorizationServer {
  readonly url: string;
  /** What tells the server to trust this one. */
  readonly environment: Readonly<Record<string, string>>;
  /** A token, and what is told about it. */
  issue(claims?: object): string;
  close(): Promise<void>;
}

const RESOURCE = 'http://127.0.0.1:3000/mcp';
const CLIENT_ID = 'my-mcp-server';
const CLIENT_SECRET = 'secret';

/** An authorization server that issues tokens to tests, and answers questions about them. */
export async function startAuthorizationServer(): Promise<AuthorizationServer> {
  const tokens = new Map<string, object>();
  const credentials = Buffer.from(`${CLIENT_ID}:${CLIENT_SECRET}`).toString('base64');
  const http = createServer((request, response) => {
    void text(request).then((body) => {
      const known = request.headers.authorization === `Basic ${credentials}`;
      const claims = tokens.get(new URLSearchParams(body).get('token') ?? '');
      response.writeHead(known ? 200 : 401, { 'content-type': 'application/json' });
      response.end(JSON.stringify(claims ?? { active: false }));
    });
  });
  await once(http.listen(0, '127.0.0.1'), 'listening');
  const url = `http://127.0.0.1:${(http.address() as AddressInfo).port}`;
  return {
    url,
    environment: {
      AUTH_RESOURCE: RESOURCE,
      AUTH_ISSUER: url,
      AUTH_INTROSPECTION: `${url}/introspect`,
      AUTH_CLIENT_ID: CLIENT_ID,
      AUTH_CLIENT_SECRET: CLIENT_SECRET,
    },
    issue(claims) {
      const token = randomUUID();
      const exp = Math.floor(Date.now() / 1000) + 600;
      const usual = { active: true, iss: url, sub: 'ann', client_id: 'app', aud: RESOURCE, exp };
      tokens.set(token, { ...usual, ...claims });
      return token;
    },
    async close() {
      http.close();
      http.closeAllConnections();
      await once(http, 'close');
    },
  };
}
