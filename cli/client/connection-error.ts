import { CallError, InsufficientScope } from '../../runtime/client/index.js';
import { LoginError } from '../../runtime/client/node/index.js';
import { causesOf, diagnose as explained } from './connect/index.js';
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

/** Failures whose messages say more than their causes. */
const SAID: ReadonlySet<string> = new Set(['rpc_error', 'invalid_answer']);

export function diagnose(error: unknown, location: ServerLocation, timeout?: number): Diagnosis {
  const chain = causesOf(error);
  const scope = chain.find((cause) => cause instanceof InsufficientScope)?.requiredScope;
  const server = shownServer(location);
  if (scope !== undefined) {
    const help = `Log in with it: mcp-codegen login --scope "${line(scope)}" --server ${server}`;
    return { reason: `the server requires the scope ${line(scope)}`, help };
  }
  // The cause of a failed login says less than the login.
  const said =
    chain.find((cause) => cause instanceof LoginError) ??
    chain.find((cause) => cause instanceof CallError && SAID.has(cause.reason)) ??
    chain.at(-1);
  return explained(error, {
    ...('url' in location ? { url: new URL(location.url) } : { command: location.command }),
    ...{ timeout, said: said && line(said.message, 300) },
    slow: 'a longer --timeout',
    help: {
      401: `Log in with "mcp-codegen login --server ${server}", or give a token that it accepts: --token, or MCP_TOKEN.`,
      403: 'What you sent is valid, but not allowed to do this: another token (--token, or MCP_TOKEN) or a login with more scopes may be.',
    },
  });
}
