import * as fc from 'fast-check';
import { SignJWT } from 'jose';
import { beforeAll, describe, expect, it, onTestFinished } from 'vitest';

import {
  bearer,
  type BearerOptions,
  createHttpHandler,
  createTaskServer,
  introspect,
  type VerifiedToken,
} from '../../runtime/server/index.js';
import { verifyJwt } from '../../runtime/server/auth/jwt/index.js';
import { type KeyPair, keyServer, newKey, serves } from '../support/keys.js';
import { sized } from '../support/size.js';
import { post, RESOURCE } from './support.js';

const ISSUER = 'https://issuer.example';
const now = (): number => Math.floor(Date.now() / 1_000);

/** A server that verifies tokens in this way, and what it says of one. */
async function guarded(options: Pick<BearerOptions, 'verify'> & Partial<BearerOptions>) {
  const problems: string[] = [];
  const server = await createTaskServer({
    name: 'test',
    version: '1.0.0',
    tools: [],
    onError: ({ message }) => problems.push(message),
  });
  const auth = bearer({ resource: RESOURCE, issuer: ISSUER, scopes: ['mcp'], ...options });
  const http = createHttpHandler(server, { auth });
  onTestFinished(async () => {
    await http.close();
    await server.close(0);
  });
  const clientInfo = { name: 'test', version: '1' };
  const params = { protocolVersion: '2025-11-25', capabilities: {}, clientInfo };
  const send = (authorization: string, headers = {}): Promise<Response> =>
    post(http, { id: 1, method: 'initialize', params }, { authorization, ...headers });
  return {
    problems,
    send,
    status: async (authorization: string, headers = {}): Promise<number> =>
      (await send(authorization, headers)).status,
    health: async (): Promise<number> =>
      (await http.fetch(new Request('http://localhost/health', { headers: { host: 'localhost' } })))
        .status,
  };
}

const genuine: VerifiedToken = {
  issuer: ISSUER,
  subject: 'ann',
  clientId: 'app',
  audience: [RESOURCE],
  scopes: ['mcp'],
  expiresAt: now() + 600,
};

let key: KeyPair;
beforeAll(async () => {
  key = await newKey('first');
});

const CLAIMS: Readonly<Record<string, unknown>> = {
  iss: ISSUER,
  sub: 'ann',
  aud: RESOURCE,
  client_id: 'app',
  scope: 'mcp',
  exp: now() + 600,
};
const NAMES = [...Object.keys(CLAIMS), 'cnf', 'nbf', 'iat', 'jti', 'scp', 'azp', 'act', 'crit'];

/** Any JSON, and what is nearly right. */
const hostile = fc.oneof(
  fc.jsonValue(),
  fc.constantFrom<unknown>(
    ...[{}, [], [[]], null, '', ' ', 0, -1, 1e308, 1e12, true, [RESOURCE, 1], [null], [ISSUER]],
    ...[{ 0: RESOURCE, length: 1 }, { toString: 'x' }, { __proto__: [RESOURCE] }, [[RESOURCE]]],
    ...[{ jkt: 'x' }, { 'x5t#S256': 'x' }, `${RESOURCE} other`, 'mcp\u0000'],
  ),
);
const changes = fc.dictionary(fc.constantFrom(...NAMES), hostile, { minKeys: 1, maxKeys: 3 });

/** Whether claims name a caller of this server without doubt. */
function isValid(claims: Readonly<Record<string, unknown>>): boolean {
  const text = (value: unknown): boolean => typeof value === 'string' && value !== '';
  const { iss, sub, aud, exp, cnf } = claims;
  const scope: unknown = claims['scope'] ?? claims['scp'];
  const audience: unknown[] = Array.isArray(aud) ? (aud as unknown[]) : [aud];
  const list: unknown[] = Array.isArray(scope) ? (scope as unknown[]) : [scope];
  return (
    iss === ISSUER &&
    text(sub) &&
    ['client_id', 'azp', 'cid', 'appid'].some((name) => text(claims[name])) &&
    audience.every((each) => typeof each === 'string') &&
    audience.some((each) => each === RESOURCE || each === `${RESOURCE}/`) &&
    typeof exp === 'number' &&
    exp > now() - 6 &&
    exp < 1e11 &&
    list.some((each) => typeof each === 'string' && each.split(' ').includes('mcp')) &&
    cnf === undefined
  );
}

describe('a genuine token with any claims', () => {
  it('SEC-2 is never answered with 500, and let in only when it names a caller (JWT)', async () => {
    const { jwks } = await keyServer(serves(key));
    const { status, problems } = await guarded({ verify: verifyJwt({ jwks }), rememberMs: 0 });
    const sign = (payload: object): Promise<string> =>
      new SignJWT(payload as Record<string, unknown>)
        .setProtectedHeader({ alg: key.alg, kid: key.kid, typ: 'at+jwt' })
        .sign(key.privateKey);
    expect(await status(`Bearer ${await sign(CLAIMS)}`)).toBe(200);
    await fc.assert(
      fc.asyncProperty(changes, async (changed) => {
        const claims = { ...CLAIMS, ...changed };
        const got = await status(`Bearer ${await sign(claims)}`);
        expect([200, 401, 403]).toContain(got);
        if (got === 200) expect(isValid(claims)).toBe(true);
      }),
      { numRuns: sized(300) },
    );
    expect(problems).toEqual([]);
  });

  it('SEC-2 is never answered with 500, and let in only when it names a caller (introspection)', async () => {
    let answer: unknown = CLAIMS;
    const original = globalThis.fetch;
    onTestFinished(() => void (globalThis.fetch = original));
    globalThis.fetch = () => Promise.resolve(Response.json(answer));
    const verify = introspect({
      introspection: `${ISSUER}/introspect`,
      clientId: 'mcp',
      clientSecret: 'secret',
    });
    const { status } = await guarded({ verify, rememberMs: 0 });
    answer = { active: true, ...CLAIMS };
    expect(await status('Bearer t')).toBe(200);
    await fc.assert(
      fc.asyncProperty(changes, fc.boolean(), async (changed, whole) => {
        answer = whole ? changed : { active: true, ...CLAIMS, ...changed };
        const got = await status('Bearer t');
        expect([200, 401, 403]).toContain(got);
        if (got === 200) expect(isValid({ ...CLAIMS, ...changed }) && !whole).toBe(true);
      }),
      { numRuns: sized(300) },
    );
  });

  it('an introspection that fails leaves no connection with a body that is not read', async () => {
    const original = globalThis.fetch;
    onTestFinished(() => void (globalThis.fetch = original));
    let isCancelled = false;
    const body = new ReadableStream({ cancel: () => void (isCancelled = true) });
    globalThis.fetch = () => Promise.resolve(new Response(body, { status: 503 }));
    const verify = introspect({
      introspection: `${ISSUER}/introspect`,
      clientId: 'mcp',
      clientSecret: 'secret',
    });
    await expect(verify('t')).rejects.toThrow('503');
    expect(isCancelled).toBe(true);
  });

  it('SEC-2 an audience that is an object is refused with 401', async () => {
    const { jwks } = await keyServer(serves(key));
    const { status } = await guarded({ verify: verifyJwt({ jwks }) });
    const token = await new SignJWT({ ...CLAIMS, aud: { [RESOURCE]: true } } as never)
      .setProtectedHeader({ alg: key.alg, kid: key.kid, typ: 'at+jwt' })
      .sign(key.privateKey);
    expect(await status(`Bearer ${token}`)).toBe(401);
  });
});

describe('the Authorization header', () => {
  it.each([
    'Bearer t1 t2',
    'Bearer t1, Bearer t2',
    'Bearer t1,t2',
    'Bearer',
    'Bearer ',
    't1',
    'DPoP t1',
  ])('SEC-2 %j is refused with 401', async (header) => {
    const { status } = await guarded({ verify: () => Promise.resolve(genuine) });
    expect(await status('Bearer t1')).toBe(200);
    expect(await status('bearer  t1')).toBe(200);
    expect(await status(header)).toBe(401);
  });
});

describe('what a verifier of the user returns', () => {
  const returning = (value: unknown) =>
    guarded({ verify: () => Promise.resolve(value as VerifiedToken), rememberMs: 0 });

  it.each([
    ['an audience that is a text', { audience: RESOURCE }],
    ['scopes that are a text', { scopes: 'other mcp' }],
  ])('works with %s', async (_, change) => {
    const { status } = await returning({ ...genuine, ...change });
    expect(await status('Bearer t')).toBe(200);
  });

  it.each([
    [
      'audience',
      { audience: { 0: RESOURCE } },
      'audience has to be a text or a list of texts, not an object',
    ],
    ['scopes', { scopes: 7 }, 'scopes has to be a text or a list of texts, not a number'],
    ['subject', { subject: 7 }, 'subject has to be a text, not a number'],
    ['expiresAt', { expiresAt: '2999-01-01' }, 'expiresAt has to be a number of seconds'],
    ['expiresAt', { expiresAt: Date.now() + 6e5 }, 'is in milliseconds'],
  ])(
    'gets 500 for a wrong %s, with the reason in the log and in /health',
    async (_, change, says) => {
      const { status, health, problems } = await returning({ ...genuine, ...change });
      expect(await status('Bearer t')).toBe(500);
      expect(problems).toEqual([expect.stringContaining(says)]);
      expect(await health()).toBe(503);
      expect(problems.at(-1)).toContain(says);
    },
  );

  it('names all members that are missing, as in the payload of a JWT', async () => {
    const { status, problems } = await returning(CLAIMS);
    expect(await status('Bearer t')).toBe(500);
    expect(problems[0]).toContain(
      'issuer, subject, clientId, audience, scopes, expiresAt are missing',
    );
  });

  it('does not fail /health for one odd token, once it has verified another', async () => {
    let verified: unknown = genuine;
    const { status, health } = await guarded({
      verify: () => Promise.resolve(verified as VerifiedToken),
      rememberMs: 0,
    });
    expect(await status('Bearer t')).toBe(200);
    verified = { ...genuine, audience: 7 };
    expect(await status('Bearer t')).toBe(500);
    expect(await health()).toBe(200);
  });

  it('SEC-2 lets in no caller but the caller that it names, whatever it is', async () => {
    let verified: unknown;
    const { status } = await guarded({
      verify: () => Promise.resolve(verified as VerifiedToken),
      rememberMs: 0,
    });
    const odd = fc.oneof(
      fc.dictionary(fc.constantFrom(...Object.keys(genuine), 'cnf', 'confirmation'), hostile, {
        minKeys: 1,
      }),
      hostile,
    );
    await fc.assert(
      fc.asyncProperty(odd, async (value) => {
        const isChange = typeof value === 'object' && value !== null && !Array.isArray(value);
        verified = isChange ? { ...genuine, ...value } : value;
        const got = await status('Bearer t');
        expect([200, 401, 403, 500]).toContain(got);
        if (got !== 200) return;
        const { issuer, subject, clientId, audience, scopes, expiresAt, ...rest } =
          verified as VerifiedToken;
        const claims = {
          iss: issuer,
          sub: subject,
          client_id: clientId,
          aud: audience,
          scope: scopes,
        };
        const { confirmation = (rest as { cnf?: unknown }).cnf } = rest;
        expect(isValid({ ...claims, exp: expiresAt, cnf: confirmation })).toBe(true);
      }),
      { numRuns: sized(300) },
    );
  });
});

describe('a token that is bound to a key', () => {
  const bound = (confirmation: unknown, options: Partial<BearerOptions> = {}) =>
    guarded({ verify: () => Promise.resolve({ ...genuine, confirmation }), ...options });
  const PROOF = { dpop: 'proof' };

  it.each([{ jkt: 'k' }, { 'x5t#S256': 'c' }, {}, 'text', 7, false, [], null])(
    'SEC-2 is refused with 401 where nothing checks the binding: %j',
    async (confirmation) => {
      const { status } = await bound(confirmation);
      expect(await status('Bearer t')).toBe(401);
    },
  );

  it('is let in when `confirm` says so, for each request', async () => {
    const proofs: unknown[] = [];
    const { status } = await bound(
      { jkt: 'k' },
      {
        confirm({ scheme, token, confirmation, request }) {
          const proof = request.headers.get('dpop');
          proofs.push([scheme, token, confirmation, request.method, request.url]);
          return proof === 'proof';
        },
      },
    );
    expect(await status('DPoP t', PROOF)).toBe(200);
    expect(await status('DPoP t', PROOF)).toBe(200);
    expect(await status('DPoP t', { dpop: 'stolen' })).toBe(401);
    expect(await status('DPoP t')).toBe(401);
    expect(proofs).toHaveLength(4);
    expect(proofs[0]).toEqual(['dpop', 't', { jkt: 'k' }, 'POST', RESOURCE]);
  });

  it('SEC-2 of DPoP is refused as a bearer token, without asking', async () => {
    const { status } = await bound({ jkt: 'k' }, { confirm: () => true });
    expect(await status('Bearer t', PROOF)).toBe(401);
  });

  it('of mutual TLS is sent as a bearer token', async () => {
    const confirm: BearerOptions['confirm'] = ({ confirmation, request }) =>
      request.headers.get('x-client-cert') === confirmation['x5t#S256'];
    const { status } = await bound({ 'x5t#S256': 'c' }, { confirm });
    expect(await status('Bearer t', { 'x-client-cert': 'c' })).toBe(200);
    expect(await status('Bearer t', { 'x-client-cert': 'd' })).toBe(401);
  });

  it.each([undefined, null, 0, 1, 'yes', {}, []])(
    'SEC-2 is refused when `confirm` returns %j',
    async (value) => {
      const { status } = await bound({ jkt: 'k' }, { confirm: () => value as boolean });
      expect(await status('DPoP t')).toBe(401);
    },
  );

  it('is refused with 500 when `confirm` fails, with the reason in the log', async () => {
    const confirm = (): never => {
      throw new Error('No store of nonces');
    };
    const { status, problems } = await bound({ jkt: 'k' }, { confirm });
    expect(await status('DPoP t')).toBe(500);
    expect(problems).toEqual([expect.stringContaining('No store of nonces')]);
  });

  it('SEC-2 an unbound token is not taken as DPoP', async () => {
    const { status } = await bound(undefined, { confirm: () => true });
    expect(await status('DPoP t')).toBe(401);
    expect(await status('Bearer t')).toBe(200);
  });
});
