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

/** What the first code of Node.js in a chain of causes means; its reason ends with the code. */
export function failureByCode(chain: readonly Error[]): (Diagnosis & { code: string }) | undefined {
  for (const cause of chain) {
    const code = String((cause as NodeJS.ErrnoException).code);
    const known = Object.hasOwn(CODES, code) ? CODES[code] : undefined;
    if (known) return { ...known, code, reason: `${known.reason} (${code})` };
  }
  return undefined;
}

/** What may help where a server redirects or fails. */
export function statusHelp(status: number): string | undefined {
  if (status >= 500) return "The server's log may say why.";
  if (status >= 300 && status < 400) {
    return 'It redirects to another address. Use that one, if you trust it.';
  }
  return undefined;
}

/** Whether a server that answers with this status may be one of 2024-11-05, which refuses what later revisions send. */
export function mayBeOld(status: number | undefined): boolean {
  return status === 400 || status === 404 || status === 405;
}

/** What may help where there is no server of MCP. */
export function pathHelp(url: URL): string {
  return url.pathname === '/'
    ? `Servers often listen at /mcp: try ${new URL('/mcp', url).href}.`
    : 'Is the path right?';
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
