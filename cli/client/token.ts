import { randomBytes, scryptSync, timingSafeEqual } from 'node:crypto';
import type { ServerLocation } from './location.js';
import type { ClientIo } from './io.js';

/** A token, and where it was given. */
export interface GivenToken {
  readonly value: string;
  /** `command line`: for the server of this command. */
  readonly from: 'command line' | 'MCP_TOKEN';
}

export interface TokenOptions {
  /** Of the token that a task was started with. */
  readonly mark: string | undefined;
  /** For `MCP_TOKEN`: the origin of `MCP_SERVER`, else of `--server`, if there is either. */
  readonly originOfToken: () => Promise<string | undefined>;
  readonly io: Pick<ClientIo, 'err'>;
}

/**
 * The token, if it was given for this server: for its origin, or for the task with this mark. Otherwise it is not
 * sent, and a message says how to send it.
 */
export async function tokenFor(
  location: ServerLocation,
  token: GivenToken | undefined,
  { mark, originOfToken, io }: TokenOptions,
): Promise<string | undefined> {
  if (token === undefined || !('url' in location)) return undefined;
  if (token.from === 'command line') return token.value;
  const { origin } = new URL(location.url);
  const wanted = await originOfToken();
  if (wanted === origin) return token.value;
  if (mark !== undefined && isMarkOf(mark, token.value)) return token.value;
  const why =
    wanted === undefined
      ? 'because it is not known to be for that server.'
      : `because it was given for ${wanted}.`;
  io.err.write(
    `MCP_TOKEN is not sent to ${origin}, ${why} To send it, set MCP_SERVER to that server, or use --token.\n`,
  );
  return undefined;
}

/** A mark by which the same token is recognized later. The token cannot be read from it. */
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
