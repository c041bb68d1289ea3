import { SdkHttpError } from '@modelcontextprotocol/client';
import { shownServer } from './location.js';
import type { ServerLocation } from './location.js';

const NETWORK: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'nothing listens there',
  ECONNRESET: 'the connection was cut',
  ENOTFOUND: 'there is no host of that name',
  EAI_AGAIN: 'the name of the host cannot be looked up now',
  ETIMEDOUT: 'there is no answer',
  EHOSTUNREACH: 'the host cannot be reached',
  UND_ERR_CONNECT_TIMEOUT: 'there is no answer',
  UND_ERR_SOCKET: 'the connection was cut',
  ERR_SSL_WRONG_VERSION_NUMBER: 'the server speaks http, not https',
  DEPTH_ZERO_SELF_SIGNED_CERT: 'its certificate is signed by itself',
  CERT_HAS_EXPIRED: 'its certificate has expired',
};

/** Why a server cannot be connected to: where it was looked for, what went wrong, and what may help. */
export function connectionError(location: ServerLocation, error: unknown): string {
  const shown = shownServer(location);
  return [`Cannot connect to ${shown}: ${reasonOf(error)}.`, helpFor(location, error)]
    .filter((part) => part !== undefined)
    .join(' ');
}

function reasonOf(error: unknown): string {
  const chain = causesOf(error);
  for (const cause of chain) {
    const { code } = cause as { code?: unknown };
    const reason = typeof code === 'string' ? NETWORK[code] : undefined;
    if (reason !== undefined) return `${reason} (${String(code)})`;
  }
  const status = statusOf(error);
  if (status !== undefined) return `the server answered with HTTP ${String(status)}`;
  const { message } = chain.at(-1) ?? { message: String(error) };
  return message.replace(/\.$/, '');
}

function helpFor(location: ServerLocation, error: unknown): string | undefined {
  if (!('url' in location)) return undefined;
  switch (statusOf(error)) {
    case 401:
    case 403:
      return 'Give a token that it accepts: --token, or MCP_TOKEN.';
    case 404:
    case 405:
      return new URL(location.url).pathname === '/'
        ? `Servers often listen at /mcp: try ${new URL('/mcp', location.url).href}.`
        : 'Is the path right?';
    default:
      return undefined;
  }
}

function statusOf(error: unknown): number | undefined {
  return causesOf(error).find((cause) => cause instanceof SdkHttpError)?.data.status;
}

/** An error and what caused it, the outermost first. */
function causesOf(error: unknown): Error[] {
  const chain: Error[] = [];
  for (let cause = error; cause instanceof Error && chain.length < 10; cause = cause.cause) {
    chain.push(cause);
  }
  return chain;
}
