import {
  SdkError,
  SdkErrorCode,
  SdkHttpError,
  UnauthorizedError,
} from '@modelcontextprotocol/client';
import { DiagnosticError, quote } from '../diagnostics/index.js';
import type { ServerLocation } from './location.js';
import { TooLarge } from './too-large.js';

/** A connection that failed. */
export interface Failure {
  readonly location: ServerLocation;
  readonly error: unknown;
  /** What the server's process printed on standard error. */
  readonly said: string;
  /** The milliseconds after which the attempt was given up, if it was. */
  readonly timeout?: number;
}

/** What went wrong, and what to do about it. */
interface Reason {
  readonly reason: string;
  readonly help?: string;
}

/** By the codes of Node.js. */
const CODES: Readonly<Record<string, Reason>> = {
  ECONNREFUSED: {
    reason: 'nothing listens there',
    help: 'Is the server running, and is the port right?',
  },
  ECONNRESET: { reason: 'the connection was cut' },
  UND_ERR_SOCKET: { reason: 'the connection was cut' },
  ENOTFOUND: { reason: 'there is no host of that name', help: 'Is the address right?' },
  EAI_AGAIN: { reason: 'the name of the host cannot be looked up now' },
  EACCES: {
    reason: 'the file may not be run',
    help: 'A script needs the program that runs it: -- node <script>',
  },
};

export function unreachable(failure: Failure): DiagnosticError {
  const { location, said } = failure;
  // Leaves out the query and the arguments, because they may contain secrets.
  const source = 'url' in location ? location.url.origin + location.url.pathname : location.command;
  const { reason, help: hint } = reasonOf(failure);
  const help = said === '' ? hint : `The server printed: ${quote(tellingLine(said))}`;
  return new DiagnosticError([
    {
      code: 'unreachable-server',
      severity: 'error',
      message: `Cannot list the tools of ${quote(source)}: ${reason}.`,
      ...(help && { help }),
    },
  ]);
}

function reasonOf({ location, error, timeout }: Failure): Reason {
  const chain = causesOf(error);
  const status = statusOf(chain);
  if (status !== undefined)
    return { reason: `the server answered ${String(status)}`, ...statusHelp(status, location) };
  const large = chain.find((each) => each instanceof TooLarge);
  if (large) return { reason: large.message, help: runItself(location).trimEnd() };
  if (timeout !== undefined) {
    return {
      reason: `the server did not answer within ${String(timeout / 1000)} s`,
      help: `${runItself(location)}A slow server needs mcp-codegen tools with a longer --timeout.`,
    };
  }
  const code = chain
    .map((each) => String((each as NodeJS.ErrnoException).code ?? ''))
    .find((each) => each in CODES || each === 'ENOENT');
  if (code === 'ENOENT' && 'command' in location) return missingCommand(location.command);
  const known = CODES[code ?? ''];
  if (known) return { ...known, reason: `${known.reason} (${String(code)})` };
  if (
    'command' in location &&
    chain.some((each) => each instanceof SdkError && each.code === SdkErrorCode.ConnectionClosed)
  ) {
    return { reason: 'its process ended before it answered', help: runItself(location).trimEnd() };
  }
  if ('url' in location && chain.some(({ message }) => message === 'bad port')) {
    return {
      reason: `fetch refuses port ${location.url.port}, as browsers do`,
      help: 'Let the server listen at another port.',
    };
  }
  if ('url' in location && chain.some(isNotMcp)) {
    return { reason: 'what answers there does not speak MCP', help: pathHelp(location.url) };
  }
  return { reason: messagesOf(chain) || String(error) };
}

function missingCommand(command: string): Reason {
  return {
    reason: 'there is no such command (ENOENT)',
    help: /^[\w.-]+(?::\d+)(?:\/|$)/.test(command)
      ? `Is it a URL? Then write http://${command}`
      : 'Is it installed, and on the PATH?',
  };
}

const runItself = (location: ServerLocation): string =>
  'command' in location
    ? 'Run the command by itself: on standard output it may print messages of MCP only. '
    : '';

/** Whether an answer was HTML, broken JSON, or JSON that is no message. */
function isNotMcp(error: Error): boolean {
  const isOtherContent =
    error instanceof SdkError && error.code === SdkErrorCode.ClientHttpUnexpectedContent;
  return isOtherContent || ['SyntaxError', 'ZodError', '$ZodError'].includes(error.name);
}

function statusHelp(status: number, location: ServerLocation): { help?: string } {
  if (!('url' in location)) return {};
  if (status >= 500) return { help: "The server's log may say why." };
  if (status >= 300 && status < 400)
    return { help: 'It redirects to another address. Use that one, if you trust it.' };
  if (status === 401) return { help: tokenHelp(location.headers) };
  if (status === 403) return { help: 'Its user may not list the tools. Try another token.' };
  return status === 404 || status === 405 ? { help: pathHelp(location.url) } : {};
}

function tokenHelp(headers: Readonly<Record<string, string>>): string {
  const hasToken = Object.keys(headers).some((name) => name.toLowerCase() === 'authorization');
  return hasToken
    ? 'The server refused the token of --header: is it complete, and still valid?'
    : 'Add a token: --header "Authorization: Bearer …".';
}

function pathHelp(url: URL): string {
  return url.pathname === '/'
    ? `Servers often listen at ${new URL('/mcp', url).href}`
    : 'Is the path right?';
}

/** The messages of all causes, because `fetch failed` alone does not help. */
function messagesOf(chain: readonly Error[]): string {
  const parts: string[] = [];
  for (const { message } of chain) {
    if (message !== '' && !parts.some((part) => part.includes(message))) parts.push(message);
  }
  return parts.join(': ').replace(/\.$/, '').slice(0, 300);
}

function statusOf(chain: readonly Error[]): number | undefined {
  if (chain.some((each) => each instanceof UnauthorizedError)) return 401;
  return chain.find((each) => each instanceof SdkHttpError)?.status;
}

/** An error and its causes, the outermost first; an `AggregateError` counts as its first one. */
function causesOf(error: unknown): Error[] {
  const chain: Error[] = [];
  for (let each = error; each instanceof Error && chain.length < 10;) {
    chain.push(each);
    each = each instanceof AggregateError ? (each.errors as unknown[])[0] : each.cause;
  }
  return chain;
}

/** The line of standard error that contains the reason. The last line is often a version. */
function tellingLine(said: string): string {
  const lines = said.split('\n').filter((line) => line.trim() !== '');
  // Node.js prints the line of the source that throws before the error.
  const found =
    lines.find((line) => /^\w*Error\b.*:/.test(line)) ??
    lines.find((line) => /error|cannot|failed/i.test(line));
  return found ?? lines.at(-1) ?? '';
}
