import {
  CallError,
  InsufficientScope,
  NotMcp,
  statusOf as statusIn,
} from '../../runtime/client/index.js';
import { LoginError } from '../../runtime/client/node/index.js';
import { causesOf, failureByCode, pathHelp, statusHelp } from './connect/index.js';
import type { Diagnosis } from './connect/index.js';
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
  const known = failureByCode(chain);
  if (known) return { ...known, help: known.help ?? helpWithScheme(known.code, location) };
  const scope = chain.find((cause) => cause instanceof InsufficientScope)?.requiredScope;
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
  if ('url' in location && chain.some((cause) => cause instanceof NotMcp)) {
    return { reason: 'what answers there does not speak MCP', help: helpWithPath(location) };
  }
  return { reason: message };
}

function helpWithStatus(status: number, location: ServerLocation): string | undefined {
  switch (status) {
    case 401:
      return `Log in with "mcp-codegen login --server ${shownServer(location)}", or give a token that it accepts: --token, or MCP_TOKEN.`;
    case 403:
      return 'What you sent is valid, but not allowed to do this: another token (--token, or MCP_TOKEN) or a login with more scopes may be.';
    case 404:
    case 405:
      return helpWithPath(location);
    case 429:
      return 'Try again later.';
    default:
      return statusHelp(status);
  }
}

function helpWithPath(location: ServerLocation): string | undefined {
  return 'url' in location ? pathHelp(new URL(location.url)) : undefined;
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
