import type { ConnectionOptions } from 'node:tls';

import type { ClientConfig } from 'pg';

/** Where a PostgreSQL is, and how to reach it. */
export interface Address {
  /** `postgres://user:password@host:port/database?sslmode=…`. Without it the environment decides, as for `psql`. */
  readonly connectionString?: string | undefined;
  /** TLS: `true`, or options such as `{ ca }`. Default none. */
  readonly ssl?: boolean | ConnectionOptions | undefined;
}

const VERIFYING: readonly (string | null)[] = ['prefer', 'require', 'verify-ca', 'verify-full'];

/** The address as `pg` takes it. */
export function addressOf({
  connectionString,
  ssl,
}: Address): Pick<ClientConfig, 'connectionString' | 'ssl'> {
  return {
    ...(connectionString !== undefined && {
      connectionString: withoutMode(connectionString, ssl),
    }),
    ...(ssl !== undefined && { ssl }),
  };
}

/**
 * The client library drops `ssl` when the connection string has an sslmode. All modes that verify mean the same to
 * it as options do, so these modes are left out beside options, such as the authority's certificate.
 */
function withoutMode(connectionString: string, ssl: Address['ssl']): string {
  if (typeof ssl !== 'object' || !URL.canParse(connectionString)) return connectionString;
  const url = new URL(connectionString);
  if (!VERIFYING.includes(url.searchParams.get('sslmode'))) return connectionString;
  url.searchParams.delete('sslmode');
  return url.href;
}
