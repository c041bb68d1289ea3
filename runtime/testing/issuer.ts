import { generateKeyPairSync, randomUUID, sign } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';

/** An authorization server for tests, which issues a token to anybody who asks for one. */
export interface Issuer {
  /** `iss` of its tokens. */
  readonly url: string;
  /** Settings of a server that trusts it, for JWT and for introspection. */
  readonly environment: Readonly<
    Record<
      | 'AUTH_RESOURCE'
      | 'AUTH_ISSUER'
      | 'AUTH_JWKS'
      | 'AUTH_INTROSPECTION'
      | 'AUTH_CLIENT_ID'
      | 'AUTH_CLIENT_SECRET',
      string
    >
  >;
  /**
   * A signed token (JWT), which introspection accepts too. Default claims: subject `ann`, client `app`, the resource as
   * audience, ten minutes. A claim that is undefined is left out. Times are in seconds since the epoch.
   */
  token(claims?: Readonly<Record<string, unknown>>): string;
  /** Introspection refuses the token from now on. Its signature stays valid. */
  withdraw(token: string): void;
  close(): Promise<void>;
  [Symbol.asyncDispose](): Promise<void>;
}

export interface IssuerOptions {
  /** `aud` of its tokens. Default: `http://127.0.0.1:3000/mcp`, whatever port the server listens at. */
  readonly resource?: string;
}

const LIFE_SECONDS = 600;
const CLIENT_ID = 'my-server';
const KEY_ID = 'test';

/** Starts an authorization server at a free port of 127.0.0.1. */
export async function startIssuer({
  resource = 'http://127.0.0.1:3000/mcp',
}: IssuerOptions = {}): Promise<Issuer> {
  const { publicKey, privateKey } = generateKeyPairSync('ed25519');
  const keys = [{ ...publicKey.export({ format: 'jwk' }), kid: KEY_ID, alg: 'EdDSA', use: 'sig' }];
  const secret = randomUUID();
  const tokens = new Map<string, string>();

  function signed(claims: string): string {
    const head = JSON.stringify({ alg: 'EdDSA', typ: 'at+jwt', kid: KEY_ID });
    const text = `${base64url(head)}.${base64url(claims)}`;
    return `${text}.${sign(null, Buffer.from(text), privateKey).toString('base64url')}`;
  }

  async function introspection(request: IncomingMessage): Promise<[status: number, body: string]> {
    const token = new URLSearchParams(await text(request)).get('token') ?? '';
    const credentials = Buffer.from(`${CLIENT_ID}:${secret}`).toString('base64');
    if (request.headers.authorization !== `Basic ${credentials}`) return [401, '{}'];
    return [200, tokens.get(token) ?? '{"active":false}'];
  }

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const [status, body] =
      request.url === '/jwks'
        ? [200, JSON.stringify({ keys })]
        : request.url === '/introspect' && request.method === 'POST'
          ? await introspection(request)
          : [404, '{}'];
    response.writeHead(status, { 'content-type': 'application/json' }).end(body);
  }

  const http = createServer((request, response) => {
    answer(request, response).catch(() => response.destroy());
  });
  http.listen(0, '127.0.0.1');
  await once(http, 'listening');
  const url = `http://127.0.0.1:${(http.address() as AddressInfo).port}`;

  let closing: Promise<void> | undefined;
  async function end(): Promise<void> {
    const closed = once(http, 'close');
    http.close();
    http.closeAllConnections();
    await closed;
  }
  const close = (): Promise<void> => (closing ??= end());

  return {
    url,
    environment: {
      AUTH_RESOURCE: resource,
      AUTH_ISSUER: url,
      AUTH_JWKS: `${url}/jwks`,
      AUTH_INTROSPECTION: `${url}/introspect`,
      AUTH_CLIENT_ID: CLIENT_ID,
      AUTH_CLIENT_SECRET: secret,
    },
    token(claims = {}) {
      const iat = Math.floor(Date.now() / 1000);
      const usual = { iss: url, sub: 'ann', client_id: 'app', aud: resource };
      const times = { iat, exp: iat + LIFE_SECONDS, jti: randomUUID() };
      const all = { ...usual, ...times, ...claims };
      const token = signed(JSON.stringify(all));
      tokens.set(token, JSON.stringify({ active: true, ...all }));
      return token;
    },
    withdraw: (token) => void tokens.delete(token),
    close,
    [Symbol.asyncDispose]: close,
  };
}

function base64url(text: string): string {
  return Buffer.from(text).toString('base64url');
}
