import { InsufficientScopeError, SdkError, SdkErrorCode } from '@modelcontextprotocol/client';
import { CallError, statusOf as statusIn } from '../../runtime/client/index.js';
import { LoginError } from '../../runtime/client/node/index.js';
import { shownServer } from './location.js';
import type { ServerLocation } from './location.js';
import { line, plain } from './text.js';

/** A server that cannot be connected to. */
export class ConnectionError extends Error {
  override readonly name = 'ConnectionError';

  constructor(
    message: string,
    readonly help: string | undefined,
    options: ErrorOptions,
  ) {
    super(message, options);
  }
}

/** What went wrong with a connection, and what may help. */
export interface Diagnosis {
  readonly reason: string;
  readonly help?: string | undefined;
}

const UNTRUSTED: Diagnosis = {
  reason: 'its certificate is not signed by an authority that Node.js trusts',
  help: "If you trust it, set NODE_EXTRA_CA_CERTS to the file of that authority's certificate.",
};
const SILENT: Diagnosis = {
  reason: 'there is no answer',
  help: 'Is the address right, and may this network reach it?',
};
const CUT: Diagnosis = { reason: 'the connection was cut' };

/** By the codes of Node.js. */
const CODES: Readonly<Record<string, Diagnosis>> = {
  ENOENT: { reason: 'the command was not found', help: 'Is it installed, and on the PATH?' },
  EACCES: {
    reason: 'the file may not be run',
    help: 'A script needs the program that runs it: -- node <script>',
  },
  ECONNREFUSED: {
    reason: 'nothing listens there',
    help: 'Is the server running, and is the port right?',
  },
  ECONNRESET: CUT,
  UND_ERR_SOCKET: CUT,
  ENOTFOUND: { reason: 'there is no host of that name', help: 'Is the address right?' },
  EAI_AGAIN: { reason: 'the name of the host cannot be looked up now' },
  ETIMEDOUT: SILENT,
  EHOSTUNREACH: SILENT,
  UND_ERR_CONNECT_TIMEOUT: SILENT,
  ERR_SSL_WRONG_VERSION_NUMBER: { reason: 'the server speaks http, not https' },
  ERR_SSL_PACKET_LENGTH_TOO_LONG: { reason: 'the server speaks http, not https' },
  DEPTH_ZERO_SELF_SIGNED_CERT: UNTRUSTED,
  SELF_SIGNED_CERT_IN_CHAIN: UNTRUSTED,
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: UNTRUSTED,
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: UNTRUSTED,
  CERT_HAS_EXPIRED: { reason: 'its certificate has expired' },
  ERR_TLS_CERT_ALTNAME_INVALID: { reason: 'its certificate is for another host' },
};

export interface Attempt {
  /** What it was for. Default: `connect`. */
  readonly aim?: 'connect' | 'log in';
  /** Milliseconds. */
  readonly timeout: number | undefined;
  /** The end of what the server's process has printed. */
  readonly said: string;
}

/** Where the server was looked for, what went wrong, and what may help. */
export function connectionError(
  location: ServerLocation,
  error: unknown,
  { aim = 'connect', timeout, said }: Attempt,
): ConnectionError {
  const { reason, help } = diagnose(error, location, timeout);
  const sentence = `Cannot ${aim} to ${line(shownServer(location), 500)}: ${reason.replace(/\.$/, '')}.`;
  const message = said === '' ? sentence : `${sentence}\n${plain(said)}`;
  return new ConnectionError(message, help, { cause: error });
}

export function diagnose(error: unknown, location: ServerLocation, timeout?: number): Diagnosis {
  const chain = causesOf(error);
  for (const cause of chain) {
    const { code } = cause as { code?: unknown };
    const known = typeof code === 'string' ? CODES[code] : undefined;
    if (known) {
      const help = known.help ?? helpWithScheme(String(code), location);
      return { reason: `${known.reason} (${String(code)})`, help };
    }
  }
  const scope = chain.find((cause) => cause instanceof InsufficientScopeError)?.requiredScope;
  if (scope !== undefined) {
    const help = `Log in with it: mcp-codegen login --scope "${line(scope)}" --server ${shownServer(location)}`;
    return { reason: `the server requires the scope ${line(scope)}`, help };
  }
  const status = statusOf(error);
  if (status !== undefined) {
    const reason = `the server answered with HTTP ${String(status)}`;
    return { reason, help: helpWithStatus(status, location) };
  }
  return protocolFailure(chain, location, timeout);
}

/** Failures whose messages say more than their causes. */
const SAID: ReadonlySet<string> = new Set(['rpc_error', 'invalid_answer']);

function protocolFailure(
  chain: readonly Error[],
  location: ServerLocation,
  timeout: number | undefined,
): Diagnosis {
  const codes = chain.map((cause) => (cause instanceof SdkError ? cause.code : undefined));
  // The cause of a failed login says less than the login.
  const login = chain.find((cause) => cause instanceof LoginError);
  const said = chain.find((cause) => cause instanceof CallError && SAID.has(cause.reason));
  const message = line((login ?? said ?? chain.at(-1))?.message ?? 'unknown error', 300);
  const isLate = chain.some((cause) => cause instanceof CallError && cause.reason === 'timeout');
  if (isLate || /timed out/.test(message)) {
    const within = timeout === undefined ? 'in time' : `within ${String(timeout / 1000)} s`;
    return {
      reason: `it did not answer ${within}`,
      help: `${helpWithCommand(location)}A slow server needs a longer --timeout.`,
    };
  }
  if ('command' in location && chain.some(({ name }) => name === 'ConnectionClosed')) {
    const help = helpWithCommand(location).trimEnd();
    return { reason: 'its process ended before it answered', help };
  }
  if (
    'url' in location &&
    (codes.includes(SdkErrorCode.ClientHttpUnexpectedContent) ||
      chain.some(({ name }) => ['ZodError', '$ZodError', 'SyntaxError'].includes(name)))
  ) {
    return { reason: 'what answers there does not speak MCP', help: pathHelp(location) };
  }
  return { reason: message };
}

function helpWithStatus(status: number, location: ServerLocation): string | undefined {
  if (status >= 500) return "The server's log may say why.";
  if (status >= 300 && status < 400)
    return 'It redirects to another address. Use that one, if you trust it.';
  switch (status) {
    case 401:
      return `Log in with "mcp-codegen login --server ${shownServer(location)}", or give a token that it accepts: --token, or MCP_TOKEN.`;
    case 403:
      return 'What you sent is valid, but not allowed to do this: another token (--token, or MCP_TOKEN) or a login with more scopes may be.';
    case 404:
    case 405:
      return pathHelp(location);
    case 429:
      return 'Try again later.';
    default:
      return undefined;
  }
}

function pathHelp(location: ServerLocation): string | undefined {
  if (!('url' in location)) return undefined;
  return new URL(location.url).pathname === '/'
    ? `Servers often listen at /mcp: try ${new URL('/mcp', location.url).href}.`
    : 'Is the path right?';
}

function helpWithScheme(code: string, location: ServerLocation): string | undefined {
  if (!code.startsWith('ERR_SSL_') || !('url' in location)) return undefined;
  return `Try ${shownServer({ url: location.url.replace(/^https:/i, 'http:') })}.`;
}

function helpWithCommand(location: ServerLocation): string {
  if (!('command' in location)) return '';
  return 'Run the command by itself to see what it prints: on standard output a server prints messages of MCP only. ';
}

/** The status that a server answered with, if that is what went wrong. */
export function statusOf(error: unknown): number | undefined {
  const statuses = causesOf(error).map((cause) => statusIn(cause));
  return statuses.find((status) => status !== undefined);
}

/** An error and what caused it, the outermost first. */
function causesOf(error: unknown): Error[] {
  const chain: Error[] = [];
  for (let cause = error; cause instanceof Error && chain.length < 10; cause = cause.cause) {
    chain.push(cause);
  }
  return chain;
}
