import { randomBytes, scryptSync, timingSafeEqual } from 'node:crypto';
import type { ServerLocation } from './location.js';
import type { Io } from './io.js';

/** A token, and which server it was given for. */
export interface GivenToken {
  readonly value: string;
  /** `command line`: for the server of this command, whichever that is. */
  readonly from: 'command line' | 'MCP_TOKEN';
  /** For `MCP_TOKEN`: the origin of `MCP_SERVER`, else of `--server`, if there is either. */
  readonly origin: string | undefined;
}

/**
 * The token, if it was given for this server: for its origin, or for the call whose mark this is.
 * Otherwise it stays here, and a message says how to send it.
 */
export function tokenFor(
  location: ServerLocation,
  token: GivenToken | undefined,
  mark: string | undefined,
  { messages }: Pick<Io, 'messages'>,
): string | undefined {
  if (token === undefined || !('url' in location)) return undefined;
  const { origin } = new URL(location.url);
  if (token.from === 'command line' || token.origin === origin) return token.value;
  if (mark !== undefined && isMarkOf(mark, token.value)) return token.value;
  const why =
    token.origin === undefined
      ? 'because it is not known to be for that server.'
      : `because it was given for ${token.origin}.`;
  messages.write(
    `MCP_TOKEN is not sent to ${origin}, ${why} To send it, set MCP_SERVER to that server, or use --token.\n`,
  );
  return undefined;
}

/** What tells, of a token that comes later, whether it is this one. The token cannot be read from it. */
export function markOf(token: string): string {
  const salt = randomBytes(16).toString('base64url');
  return `${salt}.${hash(salt, token).toString('base64url')}`;
}

function isMarkOf(mark: string, token: string): boolean {
  const [salt = '', expected = ''] = mark.split('.');
  const given = Buffer.from(expected, 'base64url');
  const actual = hash(salt, token);
  return given.length === actual.length && timingSafeEqual(given, actual);
}

function hash(salt: string, token: string): Buffer {
  return scryptSync(token, salt, 32);
}
