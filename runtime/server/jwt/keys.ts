import type * as Jose from 'jose';

/** The keys of an authorization server. */
export interface Keys {
  /** The key of a token's header. */
  readonly find: Jose.JWTVerifyGetKey;
  /** Rejects when the keys cannot be fetched. Does nothing while they are fresh. */
  readonly probe: () => Promise<void>;
}

export interface KeysOptions {
  readonly url: URL;
  /** Milliseconds for which the keys are used without another look. */
  readonly maxAgeMs: number;
  /** Milliseconds between two fetches because of a key that is unknown. */
  readonly cooldownMs: number;
  readonly timeoutMs: number;
}

/** A set of keys has some kilobytes. */
const MOST_BYTES = 2 ** 20;
/** After a failed fetch there is none for this time, whatever the number of requests. */
const PAUSE_MS = 1_000;

/** The keys at a URL, fetched when they are first needed, when they are old, and when a token names a new one. */
export function remoteKeys(jose: typeof Jose, options: KeysOptions): Keys {
  const { url, maxAgeMs, cooldownMs, timeoutMs } = options;
  let failure: { readonly error: unknown; readonly until: number } | undefined;

  async function get(href: string, init: RequestInit): Promise<Response> {
    if (failure !== undefined && performance.now() < failure.until) throw failure.error;
    try {
      const body = await read(await fetch(href, init));
      if (!isKeySet(body)) throw new Error('not a set of keys');
      failure = undefined;
      return new Response(body);
    } catch (error) {
      failure = { error, until: performance.now() + PAUSE_MS };
      throw error;
    }
  }

  const keys = jose.createRemoteJWKSet(url, {
    timeoutDuration: timeoutMs,
    cacheMaxAge: maxAgeMs,
    cooldownDuration: cooldownMs,
    [jose.customFetch]: get,
  });
  return {
    find: keys,
    async probe() {
      if (!keys.fresh) await keys.reload();
    },
  };
}

function isKeySet(text: string): boolean {
  const value: unknown = JSON.parse(text);
  return (
    typeof value === 'object' && value !== null && Array.isArray((value as { keys?: unknown }).keys)
  );
}

async function read(response: Response): Promise<string> {
  // Redirects are not followed: they are answers with a status of their own.
  if (response.status !== 200) {
    await response.body?.cancel();
    throw new Error(`HTTP status ${response.status}`);
  }
  const decoder = new TextDecoder();
  let text = '';
  let bytes = 0;
  for await (const chunk of response.body ?? []) {
    bytes += (chunk as Uint8Array).length;
    if (bytes > MOST_BYTES) throw new Error(`more than ${MOST_BYTES} bytes`);
    text += decoder.decode(chunk as Uint8Array, { stream: true });
  }
  return text;
}
