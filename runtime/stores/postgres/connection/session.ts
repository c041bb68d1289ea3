import type * as Pg from 'pg';
import type { Client, ClientConfig, QueryConfig } from 'pg';
import type { ConnectionOptions } from 'node:tls';
import { PostgresError } from './errors.js';

/** Settings of PostgreSQL that hold for a connection, by name: `{ statement_timeout: 10_000 }`. */
export type SessionSettings = Readonly<Record<string, string | number>>;

const SET = `SELECT set_config(name, value, false)
  FROM unnest($1::text[], $2::text[]) AS setting (name, value)`;

/** As in `Client.connect` of `pg`. */
type Connected = ((error: Error) => void) | ((error: null, client: Client) => void);

/**
 * The class of clients that set these before `connect` resolves, for the option `Client` of a pool too. The
 * settings are no startup parameters, because PgBouncer refuses those. An answer to them is awaited for `timeoutMs`.
 */
export function clientWith(
  pg: Pick<typeof Pg, 'Client'>,
  settings: SessionSettings,
  timeoutMs: number,
): typeof Client {
  const query = {
    text: SET,
    values: [Object.keys(settings), Object.values(settings).map(String)],
    query_timeout: timeoutMs,
  } satisfies QueryConfig & { query_timeout: number };

  return class SessionClient extends pg.Client {
    constructor(config?: string | ClientConfig) {
      super(config);
      // A pool listens only when `connect` has resolved, and an error without a listener would end the process.
      this.on('error', () => undefined);
    }

    override connect(): Promise<Client>;
    override connect(callback: Connected): void;
    override connect(callback?: Connected): Promise<Client> | undefined {
      const connecting = this.#connect();
      if (callback === undefined) return connecting;
      const call = callback as (error: Error | null, client?: Client) => void;
      // Outside of the promise, where an error of the callback would be lost.
      connecting.then(
        (client) => setImmediate(call, null, client),
        (error: unknown) => setImmediate(call, error as Error),
      );
      return undefined;
    }

    async #connect(): Promise<Client> {
      await super.connect();
      try {
        await this.query(query);
      } catch (error) {
        // Nothing is awaited of a server that does not answer.
        void this.end().catch(() => undefined);
        throw error;
      }
      return this;
    }
  };
}

/**
 * How often two connections are looked at. The order has a period of three, because a pooler that hands out its
 * processes by turns could give two connections that take turns the same ones again and again.
 */
const LOOKS = 9;
/** Behind a pooler: its other clients come in between. */
const LOOKS_BEHIND_POOLER = 96;
const ORDER = [0, 0, 1] as const;

/**
 * Throws a PostgresError when a pooler such as PgBouncer gives connections another server process for each
 * transaction: it would lose what belongs to a session, such as `LISTEN`, settings and locks. Two open connections that
 * have, one after the other, the same process show it; so does one whose process changes.
 */
export async function assertOwnSession(
  pg: Pick<typeof Pg, 'Client'>,
  config: ClientConfig,
  timeoutMs: number,
): Promise<void> {
  const clients = [new pg.Client(config), new pg.Client(config)] as const;
  const seen = clients.map(() => new Set<number>());
  try {
    for (const client of clients) {
      // Without a listener the error of a lost connection would end the process.
      client.on('error', () => undefined);
      await client.connect();
    }
    const looks = (await isPooled(clients[0], timeoutMs)) ? LOOKS_BEHIND_POOLER : LOOKS;
    for (let look = 0; look < looks; look += 1) {
      const index = ORDER[look % ORDER.length] ?? 0;
      seen[index]?.add(await processOf(clients[index], timeoutMs));
    }
  } finally {
    for (const client of clients) void client.end().catch(() => undefined);
  }
  const processes = seen.flatMap((each) => [...each]);
  if (processes.length === clients.length && new Set(processes).size === clients.length) return;
  const [{ host, port }] = clients;
  throw new PostgresError(
    `Cannot use PostgreSQL at ${host}:${port}: a pooler such as PgBouncer changes the server process of a connection ` +
      'between transactions. Set pool_mode = session for this database there, or connect to PostgreSQL itself.',
    undefined,
  );
}

/** PostgreSQL itself says at the start of a connection which process serves it; a pooler says a number of its own. */
async function isPooled(client: Client, timeoutMs: number): Promise<boolean> {
  const { processID } = client as { processID?: number };
  return processID !== (await processOf(client, timeoutMs));
}

async function processOf(client: Client, timeoutMs: number): Promise<number> {
  const query = { text: 'SELECT pg_backend_pid() AS pid', query_timeout: timeoutMs };
  const { rows } = await client.query<{ pid: number }>(query);
  return rows[0]?.pid ?? 0;
}

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
