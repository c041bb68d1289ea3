import type { ServerLocation } from './client/connect/index.js';
import { quote } from '../json-schema/text.js';
import { UsageError } from './exit.js';
import type { Io } from './io.js';

/**
 * The server of a command line: a URL, or a command and its arguments.
 *
 * @param instead What a command takes in place of a password in the URL.
 * @throws {UsageError}
 */
export function locationOf(
  {
    server = [],
    header: headers = [],
  }: {
    readonly server?: readonly string[] | undefined;
    readonly header?: readonly string[] | undefined;
  },
  { cwd, env }: Pick<Io, 'cwd' | 'env'>,
  instead = 'A server that needs one takes --header "Authorization: Basic …".',
): ServerLocation {
  const [first, ...args] = server;
  if (first === undefined) {
    throw new UsageError(
      'No server is given.',
      'Give the URL of a running server, or -- and the command that starts one.',
    );
  }
  if (/^[a-z][a-z0-9+.-]+:\/\//i.test(first)) {
    const url = URL.canParse(first) ? new URL(first) : undefined;
    if (url ? url.username !== '' || url.password !== '' : HAS_USER.test(first)) {
      // The message does not quote the URL, because it contains a password.
      throw new UsageError('The URL contains a user name or a password.', `Remove it. ${instead}`);
    }
    if (args.length > 0)
      throw new UsageError(`Unexpected argument ${quote(args[0] ?? '')} after the URL.`);
    if (url?.protocol !== 'https:' && url?.protocol !== 'http:') {
      throw new UsageError(`Cannot connect to ${quote(first)}.`, 'Give an http or https URL.');
    }
    return { url, headers: Object.fromEntries(headers.map(parseHeader)) };
  }
  if (headers.length > 0) {
    throw new UsageError('--header needs a server URL.', 'Give a URL, or remove --header.');
  }
  return { command: first, args, cwd, env };
}

/** A text that is no URL may contain a password all the same. */
const HAS_USER = /^[^/?#]*:\/\/[^/?#]*@/;

export function parseHeader(line: string): [string, string] {
  const [, name, value] = /^([!#$%&'*+.^`|~\w-]+):[ \t]*([\t\x20-\x7e]*)$/.exec(line) ?? [];
  if (name !== undefined && value !== undefined) return [name, value];
  // The message does not quote the header, because its value may be a secret.
  throw new UsageError('--header is not "Name: value".', 'Use --header "Authorization: Bearer …".');
}
