import type { ConnectionOptions } from 'node:tls';

import type { ClientConfig } from 'pg';

import { PostgresError } from './errors.js';

/** Where a PostgreSQL is, and how to reach it. */
export interface Address {
  /** `postgres://user:password@host:port/database?sslmode=…`. Without it the environment decides, as for `psql`. */
  readonly connectionString?: string | undefined;
  /** TLS: `true`, or options such as `{ ca }`. Default none. */
  readonly ssl?: boolean | ConnectionOptions | undefined;
}

const VERIFYING: readonly (string | null)[] = ['prefer', 'require', 'verify-ca', 'verify-full'];

/** A URL, or the folder of a socket. The client library takes everything else for the path of a host named "base". */
const CONNECTION_STRING = /^(?:postgres(?:ql)?:\/\/[^#]*|socket:.*|\/.*)$/is;

/** The address as `pg` takes it. Throws a PostgresError for a connection string that is none. */
export function addressOf({
  connectionString,
  ssl,
}: Address): Pick<ClientConfig, 'connectionString' | 'ssl'> {
  return {
    ...(connectionString !== undefined && {
      connectionString: withPlainMode(connectionString, ssl),
    }),
    ...(ssl !== undefined && { ssl }),
  };
}

/**
 * All modes that verify mean the same to the client library, but it prints a warning for all except `verify-full`. It
 * drops `ssl` when the connection string has a mode, so beside options, such as the authority's certificate, which
 * verify too, the mode is left out.
 */
function withPlainMode(connectionString: string, ssl: Address['ssl']): string {
  assertWellFormed(connectionString);
  if (!URL.canParse(connectionString)) return connectionString;
  const url = new URL(connectionString);
  const { searchParams: options } = url;
  if (!VERIFYING.includes(options.get('sslmode')) || options.has('uselibpqcompat'))
    return connectionString;
  if (typeof ssl === 'object') options.delete('sslmode');
  else options.set('sslmode', 'verify-full');
  return url.href;
}

/** The message does not quote the connection string, because it may contain a password. */
function assertWellFormed(connectionString: string): void {
  if (CONNECTION_STRING.test(connectionString)) return;
  throw new PostgresError(
    'Cannot connect to PostgreSQL: the connection string is not postgres://user:password@host:port/database, with ' +
      'special characters such as # percent-encoded (%23).',
    undefined,
  );
}
