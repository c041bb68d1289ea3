import { CallError, NotMcp, statusOf as statusIn } from '../../../runtime/client/index.js';

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
const NO_TLS: Diagnosis = { reason: 'the server speaks http, not https' };

/** By the codes of Node.js. */
const CODES: Readonly<Record<string, Diagnosis>> = {
  ENOENT: { reason: 'there is no such command', help: 'Is it installed, and on the PATH?' },
  EACCES: {
    reason: 'the file may not be run',
    help: 'A script needs the program that runs it: -- node <script>',
  },
  NO_INTERPRETER: {
    reason: 'the program that runs it is missing',
    help: 'Its first line, #!, names that program: is it installed?',
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
  ERR_SSL_WRONG_VERSION_NUMBER: NO_TLS,
  ERR_SSL_PACKET_LENGTH_TOO_LONG: NO_TLS,
  DEPTH_ZERO_SELF_SIGNED_CERT: UNTRUSTED,
  SELF_SIGNED_CERT_IN_CHAIN: UNTRUSTED,
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: UNTRUSTED,
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: UNTRUSTED,
  CERT_HAS_EXPIRED: { reason: 'its certificate has expired' },
  ERR_TLS_CERT_ALTNAME_INVALID: { reason: 'its certificate is for another host' },
};

/** The attempt that failed, and what may help in the words of its command. */
export interface Attempted {
  readonly url?: URL | undefined;
  /** The command that starts the server. */
  readonly command?: string | undefined;
  /** Milliseconds after which it was given up. */
  readonly timeout?: number | undefined;
  /** Whether it was given up. Default: what the error says. */
  readonly isLate?: boolean;
  /** What the error says. */
  readonly said?: string | undefined;
  /** What a slow server needs. */
  readonly slow: string;
  /** What helps with the statuses 401 and 403. */
  readonly help: Readonly<Record<401 | 403, string>>;
}

/** What went wrong with a connection: by the code of Node.js, the HTTP status, or the client's error. */
export function diagnose(error: unknown, attempted: Attempted): Diagnosis {
  const { url, command, timeout, said = 'unknown error', slow } = attempted;
  const chain = causesOf(error);
  const known = failureByCode(chain);
  if (known) return { ...known, help: helpWithAddress(known.code, attempted) ?? known.help };
  const status = statusOf(error);
  if (status !== undefined) {
    const reason = `the server answered with HTTP ${String(status)}`;
    return { reason, help: helpWithStatus(status, attempted) };
  }
  const { isLate = chain.some(isTimeout) || said.includes('timed out') } = attempted;
  if (isLate) {
    const within = timeout === undefined ? 'in time' : `within ${String(timeout / 1000)} s`;
    const help = `${command === undefined ? '' : `${RUN_ITSELF} `}A slow server needs ${slow}.`;
    // What the server sent meanwhile.
    const [, ...meanwhile] = said.split('. ');
    return { reason: [`it did not answer ${within}`, ...meanwhile].join('. '), help };
  }
  const closed = chain.findLast(({ name }) => name === 'ConnectionClosed');
  if (command !== undefined && closed !== undefined) {
    return {
      reason: `${closed.message.replace(/^The/, 'its')} before it answered`,
      help: RUN_ITSELF,
    };
  }
  const notMcp = chain.find((each) => each instanceof NotMcp);
  if (url && notMcp !== undefined) {
    return {
      reason: `what answers there does not speak MCP. ${notMcp.message}`,
      help: pathHelp(url),
    };
  }
  return { reason: said };
}

export const RUN_ITSELF =
  'Run the command by itself to see what it prints: on standard output a server prints messages of MCP only.';

function isTimeout(error: Error): boolean {
  return error instanceof CallError && error.reason === 'timeout';
}

/** What the first code of Node.js in a chain of causes means; its reason ends with the code. */
function failureByCode(chain: readonly Error[]): (Diagnosis & { code: string }) | undefined {
  for (const cause of chain) {
    const code = String((cause as NodeJS.ErrnoException).code);
    const known = Object.hasOwn(CODES, code) ? CODES[code] : undefined;
    if (known) return { ...known, code, reason: `${known.reason} (${code})` };
  }
  return undefined;
}

/** Where another address may be meant. */
function helpWithAddress(code: string, { url, command = '' }: Attempted): string | undefined {
  if (/^[\w.-]+(?::\d+)(?:\/|$)/.test(command)) return `Is it a URL? Then write http://${command}`;
  if (!url || !code.startsWith('ERR_SSL_')) return undefined;
  // The query may hold secrets.
  return `Try http://${url.host}${url.pathname}.`;
}

function helpWithStatus(status: number, { url, help }: Attempted): string | undefined {
  if (status === 401 || status === 403) return help[status];
  if (status === 404 || status === 405) return url && pathHelp(url);
  if (status === 429) return 'Try again later.';
  if (status >= 500) return "The server's log may say why.";
  return status >= 300 && status < 400
    ? 'It redirects to another address. Use that one, if you trust it.'
    : undefined;
}

/** What may help where there is no server of MCP. */
function pathHelp(url: URL): string {
  return url.pathname === '/'
    ? `Servers often listen at /mcp: try ${new URL('/mcp', url).href}.`
    : 'Is the path right?';
}

/** The status that a server answered with, if that is what went wrong. */
export function statusOf(error: unknown): number | undefined {
  return causesOf(error)
    .map((cause) => statusIn(cause))
    .find((status) => status !== undefined);
}

/** An error and its causes, the outermost first; an `AggregateError` counts as its first one. */
export function causesOf(error: unknown): Error[] {
  const chain: Error[] = [];
  for (let each = error; each instanceof Error && chain.length < 10;) {
    chain.push(each);
    each = each instanceof AggregateError ? (each.errors as unknown[])[0] : each.cause;
  }
  return chain;
}
