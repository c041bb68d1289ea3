import * as fc from 'fast-check';
import { base64url, exportSPKI, SignJWT, UnsecuredJWT } from 'jose';
import { beforeAll, describe, expect, it, onTestFinished } from 'vitest';

import { bearer, createHttpHandler, createTaskServer } from '../../runtime/server/index.js';
import { type JwtOptions, verifyJwt } from '../../runtime/server/auth/jwt/index.js';
import { ownerOf } from '../../runtime/server/auth/bearer.js';
import { type KeyPair, keyServer, newKey, serves, type KeyAnswer } from '../support/keys.js';
import { sized } from '../support/size.js';
import { post, RESOURCE } from './support.js';

const ISSUER = 'https://issuer.example';
const now = (): number => Math.floor(Date.now() / 1_000);

let key: KeyPair;
let stranger: KeyPair;
beforeAll(async () => {
  key = await newKey('first');
  stranger = await newKey('first');
});

const claims = (): Record<string, unknown> => ({
  iss: ISSUER,
  sub: 'ann',
  aud: RESOURCE,
  client_id: 'app',
  scope: 'mcp other',
  iat: now(),
  exp: now() + 600,
});

function sign(
  payload: Record<string, unknown> = claims(),
  { kid, alg, privateKey } = key,
  header: object = { typ: 'at+jwt' },
): Promise<string> {
  return new SignJWT(payload).setProtectedHeader({ alg, kid, ...header }).sign(privateKey);
}

/** A server that accepts tokens signed with the keys. */
async function guarded(first: KeyAnswer = serves(key), options: Partial<JwtOptions> = {}) {
  const keys = await keyServer(first);
  const verify = verifyJwt({ jwks: keys.jwks, ...options });
  const auth = bearer({ resource: RESOURCE, issuer: ISSUER, scopes: ['mcp'], verify });
  const server = await createTaskServer({
    name: 'test',
    version: '1.0.0',
    tools: [],
    onError: () => undefined,
  });
  const http = createHttpHandler(server, { auth });
  onTestFinished(async () => {
    await http.close();
    await server.close(0);
  });
  const params = {
    protocolVersion: '2025-11-25',
    capabilities: {},
    clientInfo: { name: 'test', version: '1' },
  };
  return {
    keys,
    auth,
    http,
    verify,
    status: async (token: string): Promise<number> => {
      const headers = { authorization: `Bearer ${token}` };
      return (await post(http, { id: 1, method: 'initialize', params }, headers)).status;
    },
    health: async (): Promise<unknown> => {
      const request = new Request('http://localhost/health', { headers: { host: 'localhost' } });
      return ((await (await http.fetch(request)).json()) as { parts: unknown }).parts;
    },
  };
}

type Change = (valid: Record<string, unknown>) => Promise<string>;
const withClaims =
  (change: object): Change =>
  (valid) =>
    sign({ ...valid, ...change });
const withHeader =
  (header: object): Change =>
  (valid) =>
    sign(valid, key, header);

const REFUSED: readonly (readonly [string, Change])[] = [
  ['of another issuer', withClaims({ iss: 'https://other.example' })],
  ['of an issuer with one more slash', withClaims({ iss: `${ISSUER}/` })],
  ['for another resource', withClaims({ aud: 'http://localhost/other' })],
  ['for a resource that only begins alike', withClaims({ aud: `${RESOURCE}.evil.example` })],
  ['for other resources', withClaims({ aud: ['one', 'two'] })],
  ['for no resource', withClaims({ aud: undefined })],
  ['that has expired', withClaims({ exp: now() - 6 })],
  ['that never expires', withClaims({ exp: undefined })],
  ['that expires at a text', withClaims({ exp: '2999-01-01' })],
  ['that is not valid yet', withClaims({ nbf: now() + 60 })],
  ['without a subject', withClaims({ sub: undefined })],
  ['with an empty subject', withClaims({ sub: '' })],
  ['with a number as its subject', withClaims({ sub: 7 })],
  ['without a client', withClaims({ client_id: undefined })],
  ['that ends a session', withHeader({ typ: 'logout+jwt' })],
  ['that proves possession', withHeader({ typ: 'dpop+jwt' })],
  [
    'with a critical extension',
    (valid) =>
      new SignJWT(valid)
        .setProtectedHeader({ alg: key.alg, kid: key.kid, crit: ['future'], future: true })
        .sign(key.privateKey, { crit: { future: true } }),
  ],
  ['of another key with the same id', (valid) => sign(valid, stranger)],
  ['that carries its own key', (valid) => sign(valid, stranger, { jwk: stranger.jwk })],
  ['with the id of no key', withHeader({ kid: 'second' })],
  ['without a signature', (valid) => Promise.resolve(new UnsecuredJWT(valid).encode())],
  [
    'that takes the public key for a secret',
    async (valid) => {
      const secret = new TextEncoder().encode(await exportSPKI(key.publicKey));
      return new SignJWT(valid).setProtectedHeader({ alg: 'HS256', kid: 'first' }).sign(secret);
    },
  ],
  [
    'whose claims were changed',
    async (valid) => {
      const [head, , signature] = (await sign(valid)).split('.');
      return `${head}.${base64url.encode(JSON.stringify({ ...valid, sub: 'eve' }))}.${signature}`;
    },
  ],
  ['that is none', () => Promise.resolve('opaque')],
  ['of three empty parts', () => Promise.resolve('..')],
];

describe('a signed token', () => {
  it.each(['ES256', 'ES384', 'EdDSA', 'PS256', 'RS256'])('of %s lets its owner in', async (alg) => {
    const pair = await newKey('own', alg);
    const { status } = await guarded(serves(key, pair));
    expect(await status(await sign(claims(), pair))).toBe(200);
  });

  it('SEC-2 names the owner: issuer, subject and client', async () => {
    const { auth } = await guarded();
    const request = new Request(RESOURCE, { headers: { authorization: `Bearer ${await sign()}` } });
    const info = await auth.authenticate(request);
    if (info instanceof Response) throw new Error(`Refused with ${info.status}`);
    expect(ownerOf(info)).toBe(JSON.stringify([ISSUER, 'ann', 'app']));
    expect(info.scopes).toEqual(['mcp', 'other']);
  });

  it.each([
    ['RFC 9068', {}],
    ['Keycloak', { client_id: undefined, azp: 'app', aud: ['account', RESOURCE] }],
    ['Okta', { client_id: undefined, cid: 'app', scope: undefined, scp: ['mcp'] }],
    ['Entra', { client_id: undefined, appid: 'app', scope: undefined, scp: 'mcp other' }],
  ])('may have the claims of %s', async (_, change) => {
    const { status } = await guarded();
    expect(await status(await sign({ ...claims(), ...change }, key, { typ: 'JWT' }))).toBe(200);
  });

  it.each(REFUSED)('SEC-2 %s is refused with 401', async (_, change) => {
    const { status, auth } = await guarded();
    expect(await status(await change(claims()))).toBe(401);
    expect(auth.fault?.()).toBeUndefined();
  });

  it('without a required scope is refused with 403', async () => {
    const { status } = await guarded();
    expect(await status(await sign({ ...claims(), scope: 'other' }))).toBe(403);
  });

  it('may be older or newer by the tolerance', async () => {
    const { status } = await guarded(serves(key), { clockToleranceSeconds: 60 });
    expect(await status(await sign({ ...claims(), exp: now() - 30 }))).toBe(200);
    expect(await status(await sign({ ...claims(), nbf: now() + 30 }))).toBe(200);
    expect(await status(await sign({ ...claims(), exp: now() - 90 }))).toBe(401);
  });

  it('of an algorithm that is not in the list is refused', async () => {
    const { status } = await guarded(serves(key), { algorithms: ['EdDSA', 'RS256'] });
    expect(await status(await sign())).toBe(401);
  });

  it('changed in any way is refused, and is no fault of the keys', async () => {
    const { verify } = await guarded();
    const token = await sign();
    await fc.assert(
      fc.asyncProperty(
        fc.nat(token.length - 1),
        fc.oneof(fc.string({ maxLength: 3 }), fc.constantFrom('.', '=', '+', 'A')),
        async (at, text) => {
          const changed = token.slice(0, at) + text + token.slice(at + 1);
          const found = await verify(changed);
          // The last character of a part has bits that mean nothing.
          if (found !== undefined) expect(found.subject).toBe('ann');
          return found === undefined || payloadOf(changed) === payloadOf(token);
        },
      ),
      { numRuns: sized(300) },
    );
  });
  const payloadOf = (token: string): string =>
    Buffer.from(token.split('.')[1] ?? '', 'base64url').toString();
});

describe('the algorithms', () => {
  it.each([['none'], ['HS256'], ['RSA1_5'], ['']])('may not contain %j', (name) => {
    const jwks = 'https://issuer.example/jwks';
    expect(() => verifyJwt({ jwks, algorithms: ['ES256', name] })).toThrow(/algorithms must be/);
  });

  it('may not be empty', () => {
    expect(() => verifyJwt({ jwks: 'https://issuer.example/jwks', algorithms: [] })).toThrow();
  });
});

describe('the keys', () => {
  it('come from a URL that is HTTPS or local', () => {
    expect(() => verifyJwt({ jwks: 'http://issuer.example/jwks' })).toThrow(/https:/);
    expect(() => verifyJwt({ jwks: 'file:///etc/keys' })).toThrow(/https:/);
    expect(() => verifyJwt({ jwks: 'http://127.0.0.1:1/jwks' })).not.toThrow();
  });

  it('are fetched once for all tokens', async () => {
    const { status, keys } = await guarded();
    const tokens = await Promise.all(
      Array.from({ length: 20 }, (_, n) => sign({ ...claims(), jti: String(n) })),
    );
    const statuses = await Promise.all(tokens.map(status));
    expect(new Set(statuses)).toEqual(new Set([200]));
    expect(keys.requests()).toBe(1);
  });

  it('may change: a new key is found, a withdrawn one ends', async () => {
    const { status, keys } = await guarded(serves(key), { cooldownMs: 0, keysMaxAgeMs: 0 });
    expect(await status(await sign())).toBe(200);
    const second = await newKey('second');
    keys.answer(serves(key, second));
    expect(await status(await sign(claims(), second))).toBe(200);
    keys.answer(serves(second));
    expect(await status(await sign({ ...claims(), jti: 'later' }))).toBe(401);
    expect(await status(await sign({ ...claims(), jti: 'later' }, second))).toBe(200);
  });

  it('are fetched for a key that is unknown, at most once in the cool-down', async () => {
    const { status, keys } = await guarded(serves(key), { cooldownMs: 60_000 });
    for (let n = 0; n < 50; n += 1) {
      expect(await status(await sign(claims(), stranger, { kid: `invented-${n}` }))).toBe(401);
    }
    expect(keys.requests()).toBe(1);
    expect(await status(await sign())).toBe(200);
  });

  const BROKEN: readonly (readonly [string, KeyAnswer, Partial<JwtOptions>])[] = [
    ['answers 500', (response) => void response.writeHead(500).end('{}'), {}],
    [
      'redirects',
      (response) => void response.writeHead(302, { location: 'http://127.0.0.1:1/' }).end(),
      {},
    ],
    ['answers with text', (response) => void response.end('<html>'), {}],
    ['answers with other JSON', (response) => void response.end('{"keys":1}'), {}],
    ['never answers', () => undefined, { timeoutMs: 50 }],
    [
      'never ends its answer',
      (response) => void response.writeHead(200).write('{"keys":['),
      { timeoutMs: 50 },
    ],
    [
      'answers without end',
      (response) => {
        const more = (): void => {
          while (!response.destroyed && response.write(' '.repeat(65_536)));
        };
        response.on('drain', more);
        more();
      },
      {},
    ],
    ['is down', (response) => void response.destroy(), {}],
  ];

  it.each(BROKEN)(
    'of a server that %s are a fault, and no reason for 401',
    async (_, answer, options) => {
      const { status, health, keys, auth } = await guarded(answer, options);
      expect(await status(await sign())).toBeGreaterThanOrEqual(500);
      expect(String(auth.fault?.())).toContain(keys.jwks);
      expect(await health()).toMatchObject({ authorization: 'failing' });
    },
  );

  it('are not asked for again and again while their server is down, and then come back', async () => {
    const { status, keys, health } = await guarded((response) => void response.destroy());
    for (let n = 0; n < 30; n += 1) expect(await status(await sign())).toBeGreaterThanOrEqual(500);
    // One each second, and the client of Node may try a connection twice.
    expect(keys.requests()).toBeLessThan(10);
    keys.answer(serves(key));
    for (;;) {
      // Without a request from a client.
      const { authorization } = (await health()) as { authorization: string };
      if (authorization === 'ok') break;
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
    expect(await status(await sign())).toBe(200);
  });
});
