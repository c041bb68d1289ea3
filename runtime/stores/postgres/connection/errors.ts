/** An operation that PostgreSQL, or the way to it, refused. Its message contains no password. */
export class PostgresError extends Error {
  override readonly name = 'PostgresError';
  constructor(
    message: string,
    /** The server's SQLSTATE (`57014`), or the system's code (`ECONNREFUSED`). */
    readonly code: string | undefined,
  ) {
    super(message);
  }
}

const SERVER_ADDRESS = 'Check host and port, and that the server is running.';
const CREDENTIALS = 'Check user and password, and the rules in pg_hba.conf.';
const CERTIFICATE =
  "Pass the authority's certificate: ssl: { ca }, or sslrootcert=<file> in the connection string.";
const GRANTS = 'Grant the role what docs/postgres.md lists.';
const TOO_LONG = 'The statement took longer than statementTimeoutMs.';

const HINTS: Readonly<Record<string, string>> = {
  ECONNREFUSED: SERVER_ADDRESS,
  ENOTFOUND: SERVER_ADDRESS,
  ETIMEDOUT: SERVER_ADDRESS,
  EHOSTUNREACH: SERVER_ADDRESS,
  SELF_SIGNED_CERT_IN_CHAIN: CERTIFICATE,
  DEPTH_ZERO_SELF_SIGNED_CERT: CERTIFICATE,
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: CERTIFICATE,
  ERR_TLS_CERT_ALTNAME_INVALID: 'Connect to a name that the certificate of the server has.',
  '28000': CREDENTIALS,
  '28P01': CREDENTIALS,
  '3D000': 'Create the database.',
  '42501': GRANTS,
  '53300': 'Lower poolSize, or raise max_connections of the server.',
  '53100': 'Free disk space on the database server.',
  '57014': TOO_LONG,
  '25006': 'This server is read-only, as a standby is. Connect to the primary.',
};

/** Hints for faults of the client library, which have no code, and for messages that say more than their code. */
const HINTS_BY_MESSAGE: readonly (readonly [pattern: RegExp, hint: string])[] = [
  [
    /timeout exceeded when trying to connect/i,
    'All connections are busy, or the server does not answer. Raise poolSize or connectTimeoutMs.',
  ],
  [
    /Query read timeout|due to connection timeout/i,
    'The server does not answer. Behind PgBouncer, default_pool_size has to cover all connections of all nodes.',
  ],
  [/^timeout expired/, 'Check host and port, and that a firewall lets connections through.'],
  [
    /^Connection terminated/,
    'The server ended the connection. Check its log, and that host and port are those of a PostgreSQL.',
  ],
  [
    /^unsupported startup parameter/,
    'PgBouncer refuses it. Remove it from the connection string and from PGOPTIONS.',
  ],
  [
    /does not support SSL/i,
    'Turn TLS on in the server, or connect without it: sslmode=disable in the connection string.',
  ],
  [
    /^Invalid URL|^URI malformed/,
    'Write connectionString as postgres://user:password@host:port/database, with special characters percent-encoded.',
  ],
  [
    /password must be a string|empty password/i,
    'Add the password to the connection string, or set PGPASSWORD.',
  ],
];

/** The class of an error for the store's callers. Keeps no cause: the library's errors quote values. */
export function storeError(error: unknown, doing?: string): PostgresError {
  if (error instanceof PostgresError) return error;
  const code = codeOf(error);
  const { message } = firstOf(error);
  const hint =
    HINTS_BY_MESSAGE.find(([pattern]) => pattern.test(message))?.[1] ?? HINTS[code ?? ''];
  const start = doing === undefined ? 'PostgreSQL' : doing;
  const parts = [`${start}: ${message.replace(/\.$/, '')}.`, hint];
  return new PostgresError(parts.filter((part) => part !== undefined).join(' '), code);
}

/** Node reports one error for each address of a host. */
function firstOf(error: unknown): Error {
  if (error instanceof AggregateError && error.errors[0] instanceof Error) return error.errors[0];
  return error instanceof Error ? error : new Error(String(error));
}

function codeOf(error: unknown): string | undefined {
  const { code } = firstOf(error) as { code?: unknown };
  return typeof code === 'string' ? code : undefined;
}

/** Whether the server rolled the statement back for reasons of timing: it did not happen, and may be repeated. */
export function isConflict(error: unknown): boolean {
  const code = codeOf(error);
  return code === '40001' || code === '40P01';
}

/** Whether a value of the statement was to blame, so that it did not happen. */
export function isBadValue(error: unknown): boolean {
  return /^(?:22|23)/.test(codeOf(error) ?? '') || error instanceof TypeError;
}
