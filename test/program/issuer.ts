import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { exportJWK, generateKeyPair, SignJWT } from 'jose';
import { onTestFinished } from 'vitest';

import type { Environment } from './process.js';

/** An authorization server for the tests: it verifies tokens and has keys. */
export interface Issuer {
  /** The settings of `jwt()` and of `introspection()`. */
  readonly settings: Environment;
  /** A token of a user, for both. */
  token(subject: string, scope?: string): Promise<string>;
}

export const CLIENT_SECRET = 'secret-of-the-server';
const RESOURCE = 'http://localhost/mcp';

export async function startIssuer(): Promise<Issuer> {
  const { publicKey, privateKey } = await generateKeyPair('ES256');
  const keys = { keys: [await exportJWK(publicKey)] };
  const tokens = new Map<string, object>();
  const credentials = `Basic ${btoa(`server:${CLIENT_SECRET}`)}`;
  const http = createServer((request, response) => {
    let body = '';
    request.setEncoding('utf8').on('data', (text: string) => (body += text));
    request.on('end', () => {
      if (request.url === '/jwks') return response.end(JSON.stringify(keys));
      if (request.headers.authorization !== credentials) return response.writeHead(401).end();
      const claims = tokens.get(new URLSearchParams(body).get('token') ?? '');
      return response.end(JSON.stringify({ active: claims !== undefined, ...claims }));
    });
  }).listen(0, '127.0.0.1');
  await once(http, 'listening');
  onTestFinished(() => void http.close());
  const issuer = `http://127.0.0.1:${(http.address() as AddressInfo).port}`;
  return {
    settings: {
      AUTH_RESOURCE: RESOURCE,
      AUTH_ISSUER: issuer,
      AUTH_JWKS: `${issuer}/jwks`,
      AUTH_INTROSPECTION: `${issuer}/introspect`,
      AUTH_CLIENT_ID: 'server',
      AUTH_CLIENT_SECRET: CLIENT_SECRET,
    },
    async token(subject, scope = '') {
      const claims = { client_id: 'app', scope };
      const token = await new SignJWT(claims)
        .setProtectedHeader({ alg: 'ES256' })
        .setIssuer(issuer)
        .setSubject(subject)
        .setAudience(RESOURCE)
        .setExpirationTime('10m')
        .sign(privateKey);
      const exp = Math.floor(Date.now() / 1_000) + 600;
      tokens.set(token, { ...claims, iss: issuer, sub: subject, aud: RESOURCE, exp });
      return token;
    },
  };
}
