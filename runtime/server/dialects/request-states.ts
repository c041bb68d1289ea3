import type { JsonObject } from '../../tasks/index.js';
import { isObject } from '../../wire/json.js';

/** What a client carries from one round trip to the next: the digest of its request, and the answers so far. */
export interface RequestState {
  readonly request: string;
  readonly answers: JsonObject;
}

/** Signs states, because a client could change what it carries. */
export interface RequestStates {
  /** The text for the client of this owner. */
  sign(state: RequestState, owner: string): Promise<string>;
  /** The state; undefined for a text that was changed, has expired, or is another owner's. */
  verified(text: unknown, owner: string): Promise<RequestState | undefined>;
  /** A short text that stands for a value. */
  digest(value: unknown): Promise<string>;
}

interface Signed extends RequestState {
  readonly owner: string;
  /** Milliseconds since the epoch. */
  readonly expires: number;
}

type Key = Awaited<ReturnType<typeof crypto.subtle.importKey>>;

const TTL_MS = 600_000;
const HMAC = { name: 'HMAC', hash: 'SHA-256' } as const;

/** All processes of a server share `secret`, so that any of them can serve the next round trip. */
export function createRequestStates(secret: Uint8Array): RequestStates {
  let key: Promise<Key> | undefined;

  /** A key of its own, because the secret signs cursors too. */
  async function derived(): Promise<Key> {
    const { subtle } = crypto;
    const root = await subtle.importKey('raw', Uint8Array.from(secret), HMAC, false, ['sign']);
    const bytes = await subtle.sign('HMAC', root, utf8('request state'));
    return subtle.importKey('raw', bytes, HMAC, false, ['sign', 'verify']);
  }

  return {
    async sign(state, owner) {
      key ??= derived();
      const signed: Signed = { ...state, owner, expires: Date.now() + TTL_MS };
      const payload = utf8(JSON.stringify(signed));
      const signature = await crypto.subtle.sign('HMAC', await key, payload);
      return `${base64url(payload)}.${base64url(new Uint8Array(signature))}`;
    },
    async verified(text, owner) {
      key ??= derived();
      if (typeof text !== 'string') return undefined;
      const [payload, signature] = text.split('.', 2).map(bytesOf);
      if (payload === undefined || signature === undefined) return undefined;
      if (!(await crypto.subtle.verify('HMAC', await key, signature, payload))) return undefined;
      const signed = JSON.parse(new TextDecoder().decode(payload)) as Signed;
      if (signed.owner !== owner || signed.expires < Date.now()) return undefined;
      return isObject(signed.answers) ? signed : undefined;
    },
    async digest(value) {
      const bytes = await crypto.subtle.digest('SHA-256', utf8(JSON.stringify(value)));
      return base64url(new Uint8Array(bytes));
    },
  };
}

function utf8(text: string): Uint8Array<ArrayBuffer> {
  return new TextEncoder().encode(text);
}

function base64url(bytes: Uint8Array): string {
  let binary = '';
  for (const byte of bytes) binary += String.fromCharCode(byte);
  return btoa(binary).replace(/\+/g, '-').replace(/\//g, '_').replace(/=+$/, '');
}

/** Undefined for a text that is not Base64. */
function bytesOf(text: string): Uint8Array<ArrayBuffer> | undefined {
  try {
    const binary = atob(text.replace(/-/g, '+').replace(/_/g, '/'));
    return Uint8Array.from(binary, (each) => each.charCodeAt(0));
  } catch {
    return undefined;
  }
}
