import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { type Answer, refusal } from './answer.js';

/** A server's authorization. `bearer(…)` of `@mcp-codegen/runtime/server` is one. */
export interface BoardAuthorization {
  /** The identity, or the answer that refuses the request. */
  readonly authenticate: (request: Request) => Promise<BoardIdentity | Response>;
  /** Rejects when no token can be verified because the program is incomplete. */
  readonly ready?: () => Promise<void>;
}

export interface BoardIdentity {
  readonly clientId: string;
  readonly extra?: Readonly<Record<string, unknown>>;
  /** When the token expires: seconds since the epoch. */
  readonly expiresAt?: number;
}

export interface Admission {
  readonly by: string;
  /** Milliseconds since the epoch, if a token admits. It may be revoked earlier. */
  readonly until?: number;
}

export interface Access {
  /** Who makes the request, or the answer that refuses it. */
  admit(request: IncomingMessage): Promise<Admission | Answer>;
  /** The part of the board's URL that opens it: empty with an authorization. */
  readonly fragment: string;
}

const SECRET_BYTES = 32;

/** Admits those who have the URL that the board printed. Its fragment is sent to no server and in no header. */
export function secretAccess(): Access {
  const secret = randomBytes(SECRET_BYTES).toString('base64url');
  const expected = digest(`Bearer ${secret}`);
  return {
    fragment: `#token=${secret}`,
    admit({ headers }) {
      const given = digest(headers.authorization ?? '');
      return Promise.resolve(
        timingSafeEqual(given, expected)
          ? { by: 'board' }
          : refusal(401, 'Open the board with the URL that it printed when it started', {
              'www-authenticate': 'Bearer',
            }),
      );
    },
  };
}

/** Equal lengths, so that the comparison takes the same time for every value. */
function digest(text: string): Buffer {
  return createHash('sha256').update(text).digest();
}

/** Admits those to whom the server's authorization server gave a token for the board. */
export function authorizedAccess({ authenticate }: BoardAuthorization): Access {
  return {
    fragment: '',
    async admit({ headers }) {
      const { authorization = '' } = headers;
      const request = new Request('http://board.invalid/', { headers: { authorization } });
      const found = await authenticate(request);
      if (!(found instanceof Response)) return admissionOf(found);
      const challenge = found.headers.get('www-authenticate');
      return refusal(
        found.status,
        refusalFor(found.status, challenge),
        challenge ? { 'www-authenticate': challenge } : {},
      );
    },
  };
}

/** Names the scopes of the challenge, which are all that the board wants. */
function refusalFor(status: number, challenge: string | null): string {
  const [, scopes = ''] = /\bscope="([^"]*)"/.exec(challenge ?? '') ?? [];
  const names = scopes.split(' ').filter((name) => name !== '');
  if (names.length === 0) {
    return status === 403 ? 'The token lacks a scope' : 'A valid token is needed';
  }
  const wanted = `the scope${names.length === 1 ? '' : 's'} ${names.join(' and ')}`;
  return status === 403
    ? `The board needs a token with ${wanted}`
    : `A valid token with ${wanted} is needed`;
}

function admissionOf({ clientId, extra, expiresAt }: BoardIdentity): Admission {
  const by = JSON.stringify([extra?.['issuer'], extra?.['subject'], clientId]);
  return { by, until: 1_000 * (expiresAt ?? Infinity) };
}
