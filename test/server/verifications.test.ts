import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import { bearer, type VerifiedToken } from '../../runtime/server/index.js';
import { rememberVerified } from '../../runtime/server/auth/bearer.js';
import { RESOURCE } from './support.js';

const ISSUER = 'https://issuer.example';

interface Asked {
  readonly authenticate: (token: string) => Promise<number>;
  /** How often the verifier was asked about each token. */
  readonly asked: Map<string, number>;
}

/** Bearer authorization, and what its verifier says of each token. */
function authority(
  verdicts: (token: string) => Partial<VerifiedToken> | undefined,
  rememberMs?: number,
): Asked {
  const asked = new Map<string, number>();
  const auth = bearer({
    resource: RESOURCE,
    issuer: ISSUER,
    scopes: ['mcp'],
    ...(rememberMs !== undefined && { rememberMs }),
    async verify(token) {
      asked.set(token, (asked.get(token) ?? 0) + 1);
      await new Promise((resolve) => setImmediate(resolve));
      const verdict = verdicts(token);
      return (
        verdict && {
          issuer: ISSUER,
          subject: 'ann',
          clientId: 'app',
          audience: [RESOURCE],
          scopes: ['mcp'],
          expiresAt: Date.now() / 1000 + 600,
          ...verdict,
        }
      );
    },
  });
  return {
    asked,
    async authenticate(token) {
      const headers = { authorization: `Bearer ${token}` };
      const answer = await auth.authenticate(new Request(RESOURCE, { headers }));
      return answer instanceof Response ? answer.status : 200;
    },
  };
}

describe('verified tokens', () => {
  it('SEC-2 are remembered each for itself', async () => {
    const { authenticate, asked } = authority((token) => ({ subject: token }));
    for (const token of ['a', 'b', 'a', 'b', 'a']) expect(await authenticate(token)).toBe(200);
    expect([...asked]).toEqual([
      ['a', 1],
      ['b', 1],
    ]);
  });

  it('are verified once for all requests that arrive meanwhile', async () => {
    const { authenticate, asked } = authority(() => ({}));
    const statuses = await Promise.all(Array.from({ length: 50 }, () => authenticate('a')));
    expect(new Set(statuses)).toEqual(new Set([200]));
    expect(asked.get('a')).toBe(1);
  });

  it.each<[string, number, Partial<VerifiedToken> | undefined]>([
    ['is not genuine', 401, undefined],
    ['comes from another issuer', 401, { issuer: 'https://other.example' }],
    ['is for another resource', 401, { audience: ['http://other/mcp'] }],
    ['has expired', 401, { expiresAt: 1 }],
    ['names no subject', 401, { subject: '' }],
    ['lacks a scope', 403, { scopes: ['other'] }],
  ])('are not remembered where one %s', async (_, status, refused) => {
    let verdict = refused;
    const { authenticate, asked } = authority(() => verdict);
    expect(await authenticate('a')).toBe(status);
    expect(await authenticate('a')).toBe(status);
    expect(asked.get('a')).toBe(2);
    verdict = {};
    expect(await authenticate('a')).toBe(200);
  });

  it('are not remembered where the verifier failed', async () => {
    let fails = true;
    const { authenticate } = authority(() => {
      if (fails) throw new Error('The authorization server does not answer');
      return {};
    });
    expect(await authenticate('a')).toBe(500);
    fails = false;
    expect(await authenticate('a')).toBe(200);
  });

  it('are accepted while invented ones keep the authorization server busy', async () => {
    const { authenticate, asked } = authority((token) => (token === 'a' ? {} : undefined));
    expect(await authenticate('a')).toBe(200);
    const invented = Array.from({ length: 1_000 }, (_, n) => authenticate(`invented-${n}`));
    expect(await authenticate('a')).toBe(200);
    const statuses = await Promise.all(invented);
    expect(statuses.filter((status) => status === 401)).toHaveLength(256);
    expect(statuses.filter((status) => status === 503)).toHaveLength(744);
    expect(asked.size).toBe(257);
    expect(await authenticate('b')).toBe(401);
  });

  it('are verified for each request where 0 milliseconds are asked for', async () => {
    const { authenticate, asked } = authority(() => ({}), 0);
    await authenticate('a');
    await authenticate('a');
    expect(asked.get('a')).toBe(2);
  });

  it('are remembered for as long as they are valid, a minute at most, and within bounds', async () => {
    const token = fc.constantFrom('a', 'b', 'c', 'd', 'e');
    const step = fc.record({ token, pass: fc.integer({ min: 0, max: 90_000 }) });
    const lifetime = fc.integer({ min: 0, max: 180 });
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 60 }), lifetime, async (steps, seconds) => {
        let now = 1_000_000_000_000;
        const asked = new Map<string, number>();
        const verify = rememberVerified(
          (name) => {
            asked.set(name, now);
            return Promise.resolve({ name, expiresAt: now / 1000 + seconds });
          },
          { accepted: () => true, maxAgeMs: 60_000, capacity: 3, atOnce: 1, now: () => now },
        );
        for (const { token: name, pass } of steps) {
          now += pass;
          const before = asked.get(name);
          expect((await verify(name)).name).toBe(name);
          const fresh = before !== undefined && now - before < Math.min(60, seconds) * 1000;
          const newer = [...asked].filter(([, at]) => at >= (before ?? 0)).length;
          // One that is fresh is asked about again only after three others came in its place.
          if (!fresh) expect(asked.get(name)).toBe(now);
          else if (newer <= 3) expect(asked.get(name)).toBe(before);
        }
      }),
    );
  });
});
