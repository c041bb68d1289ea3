import { describe, expect, it, onTestFinished } from 'vitest';
import { bearer, introspect, type TokenVerifier } from '../../runtime/server/auth/index.js';
import { verifyJwt } from '../../runtime/server/auth/jwt/index.js';
import { type Issuer, startIssuer } from '../../runtime/testing/index.js';

/** Tokens of the issuer, at the verifiers that servers use. */

const VERIFIERS = {
  jwt: ({ AUTH_JWKS }: Issuer['environment']): TokenVerifier => verifyJwt({ jwks: AUTH_JWKS }),
  introspection: (environment: Issuer['environment']): TokenVerifier =>
    introspect({
      introspection: environment.AUTH_INTROSPECTION,
      clientId: environment.AUTH_CLIENT_ID,
      clientSecret: environment.AUTH_CLIENT_SECRET,
    }),
};

async function start(options?: Parameters<typeof startIssuer>[0]): Promise<Issuer> {
  const issuer = await startIssuer(options);
  onTestFinished(() => issuer.close());
  return issuer;
}

/** The status with which a server that trusts the issuer answers a request, or the caller whom it lets in. */
async function admitted(
  { environment }: Issuer,
  verifier: keyof typeof VERIFIERS,
  token: string,
  scopes: readonly string[] = [],
): Promise<unknown> {
  const auth = bearer({
    resource: environment.AUTH_RESOURCE,
    issuer: environment.AUTH_ISSUER,
    scopes: [...scopes],
    verify: VERIFIERS[verifier](environment),
  });
  const headers = { authorization: `Bearer ${token}` };
  const request = new Request(environment.AUTH_RESOURCE, { method: 'POST', headers });
  const found = await auth.authenticate(request);
  if (found instanceof Response) return found.status;
  const { clientId, extra } = found;
  return { client: clientId, ...extra, scopes: found.scopes };
}

describe.each(['jwt', 'introspection'] as const)('a token of the issuer, by %s', (verifier) => {
  it('is accepted, with its claims', async () => {
    const issuer = await start();
    expect(await admitted(issuer, verifier, issuer.token())).toMatchObject({
      client: 'app',
      subject: 'ann',
      issuer: issuer.url,
    });
    const token = issuer.token({ sub: 'bob', client_id: 'board', scope: 'tasks:board other' });
    expect(await admitted(issuer, verifier, token, ['tasks:board'])).toMatchObject({
      client: 'board',
      subject: 'bob',
      scopes: ['tasks:board', 'other'],
    });
  });

  it.each([
    ['of another resource', { aud: 'https://elsewhere.example/mcp' }, 401],
    ['of another issuer', { iss: 'https://elsewhere.example' }, 401],
    ['that has expired', { exp: 1 }, 401],
    ['without a subject', { sub: undefined }, 401],
    ['without a scope that is needed', {}, 403],
  ])('is refused %s', async (_, claims, status) => {
    const issuer = await start();
    const scopes = status === 403 ? ['tasks:board'] : [];
    expect(await admitted(issuer, verifier, issuer.token(claims), scopes)).toBe(status);
  });

  it('is refused when another issuer signed it, and when it is no token', async () => {
    const [issuer, other] = [await start(), await start()];
    const forged = other.token({ iss: issuer.url });
    expect(await admitted(issuer, verifier, forged)).toBe(401);
    expect(await admitted(issuer, verifier, 'invented')).toBe(401);
  });

  it('is of the resource that was given', async () => {
    const issuer = await start({ resource: 'https://shop.example/mcp' });
    expect(issuer.environment.AUTH_RESOURCE).toBe('https://shop.example/mcp');
    expect(await admitted(issuer, verifier, issuer.token())).toMatchObject({ subject: 'ann' });
  });
});

describe('the issuer', () => {
  it('refuses a withdrawn token at introspection', async () => {
    const issuer = await start();
    const [token, other] = [issuer.token(), issuer.token()];
    issuer.withdraw(token);
    expect(await admitted(issuer, 'introspection', token)).toBe(401);
    expect(await admitted(issuer, 'introspection', other)).toMatchObject({ subject: 'ann' });
    // As with a real one: a signature cannot be withdrawn.
    expect(await admitted(issuer, 'jwt', token)).toMatchObject({ subject: 'ann' });
  });

  it('says nothing of a token to a server without its secret', async () => {
    const issuer = await start();
    const verify = introspect({
      introspection: issuer.environment.AUTH_INTROSPECTION,
      clientId: 'my-server',
      clientSecret: 'guessed',
    });
    await expect(verify(issuer.token())).rejects.toThrow('401');
    expect((await fetch(`${issuer.url}/elsewhere`)).status).toBe(404);
    expect((await fetch(issuer.environment.AUTH_INTROSPECTION)).status).toBe(404);
  });

  it('closes once, also with a connection open', async () => {
    const issuer = await startIssuer();
    await fetch(`${issuer.url}/jwks`);
    await Promise.all([issuer.close(), issuer.close()]);
    await issuer[Symbol.asyncDispose]();
    await expect(fetch(`${issuer.url}/jwks`)).rejects.toThrow();
  });
});
