import { OAuthError, TEMPORARILY_UNAVAILABLE } from './oauth.js';

const TOO_MANY = 'Too many tokens are being verified';

/** A genuine token, as it is remembered. */
interface Expiring {
  /** Seconds since the epoch. */
  readonly expiresAt: number;
}

interface Remembered<V> {
  readonly value: V;
  /** Milliseconds since the epoch. */
  readonly until: number;
}

interface MemoryOptions<V> {
  /** Whether this server accepts a genuine token. Tokens that it does not accept are verified each time. */
  readonly accepted: (value: V) => boolean;
  /** Milliseconds for which a genuine token is not verified again; 0 verifies it for each request. */
  readonly maxAgeMs: number;
  /** Tokens; beyond this number the one that was verified longest ago is dropped. */
  readonly capacity: number;
  /** Tokens in verification at once. A further one is refused as long as that is so, unless it is known. */
  readonly atOnce: number;
  readonly now?: () => number;
}

/**
 * Verifies a token once for all requests that arrive during the verification, and for those of the next
 * `maxAgeMs`, or until the token expires: then without waiting. A refusal is never remembered, because the token may
 * become valid.
 *
 * Keys are the tokens themselves: hashes would hide nothing, because an identity holds its token.
 *
 * @throws {OAuthError} `temporarily_unavailable` for an unknown token while `atOnce` others are in verification.
 */
export function rememberVerified<V extends Expiring>(
  verify: (token: string) => Promise<V>,
  { accepted, maxAgeMs, capacity, atOnce, now = Date.now }: MemoryOptions<V>,
): (token: string) => V | Promise<V> {
  const known = new Map<string, Remembered<V>>();
  const pending = new Map<string, Promise<V>>();

  function remember(token: string, value: V): void {
    const until = Math.min(now() + maxAgeMs, value.expiresAt * 1000);
    if (!accepted(value) || !(until > now())) return;
    known.set(token, { value, until });
    const [oldest] = known.keys();
    if (known.size > capacity && oldest !== undefined) known.delete(oldest);
  }

  async function verifyAnew(token: string): Promise<V> {
    try {
      const value = await verify(token);
      remember(token, value);
      return value;
    } finally {
      pending.delete(token);
    }
  }

  return (token) => {
    const entry = known.get(token);
    if (entry !== undefined && entry.until > now()) return entry.value;
    known.delete(token);
    const waiting = pending.get(token);
    if (waiting) return waiting;
    if (pending.size >= atOnce) throw new OAuthError(TEMPORARILY_UNAVAILABLE, TOO_MANY);
    const verification = verifyAnew(token);
    pending.set(token, verification);
    return verification;
  };
}
