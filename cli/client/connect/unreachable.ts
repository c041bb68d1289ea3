import { NotMcp, statusOf as statusIn } from '../../../runtime/client/index.js';
import { DiagnosticError } from '../../../generator/diagnostics/index.js';
import { quote } from '../../../json-schema/text.js';
import type { ServerLocation } from './location.js';
import { causesOf, failureByCode, pathHelp, statusHelp } from './failures.js';
import type { Diagnosis } from './failures.js';
import { TooLarge } from './counted.js';

/** A connection that failed. */
export interface Failure {
  readonly location: ServerLocation;
  readonly error: unknown;
  /** What the server's process printed on standard error. */
  readonly said: string;
  /** The milliseconds after which the attempt was given up, if it was. */
  readonly timeout?: number;
}

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

function reasonOf({ location, error, timeout }: Failure): Diagnosis {
  const chain = causesOf(error);
  const status = statusOf(chain);
  if (status !== undefined)
    return { reason: `the server answered ${String(status)}`, ...helpWithStatus(status, location) };
  const large = chain.findLast(
    (each) => each instanceof TooLarge || each.message.includes('(maxMessageBytes)'),
  );
  if (large) {
    const reason = large.message.replace(/^T| \(maxMessageBytes\)$/g, (part) =>
      part === 'T' ? 't' : '',
    );
    return { reason, help: runItself(location).trimEnd() };
  }
  if (timeout !== undefined) {
    return {
      reason: `the server did not answer within ${String(timeout / 1000)} s`,
      help: `${runItself(location)}A slow server needs mcp-codegen tools with a longer --timeout.`,
    };
  }
  const known = failureByCode(chain);
  if (known) return { ...known, ...('command' in location && addressHelp(location.command)) };
  if ('command' in location && chain.some(isClosedWithoutReason)) {
    return { reason: 'its process ended before it answered', help: runItself(location).trimEnd() };
  }
  if ('url' in location && chain.some((each) => each instanceof NotMcp)) {
    return { reason: 'what answers there does not speak MCP', help: pathHelp(location.url) };
  }
  return { reason: messagesOf(chain) || String(error) };
}

function isClosedWithoutReason({ name, cause }: Error): boolean {
  return name === 'ConnectionClosed' && cause === undefined;
}

/** What may help where a command looks like the address of a server. */
function addressHelp(command: string): { help: string } | false {
  const looksSo = /^[\w.-]+(?::\d+)(?:\/|$)/.test(command);
  return looksSo && { help: `Is it a URL? Then write http://${command}` };
}

const runItself = (location: ServerLocation): string =>
  'command' in location
    ? 'Run the command by itself: on standard output it may print messages of MCP only. '
    : '';

function helpWithStatus(status: number, location: ServerLocation): { help?: string | undefined } {
  if (!('url' in location)) return {};
  if (status === 401) return { help: tokenHelp(location.headers) };
  if (status === 403) return { help: 'Its user may not list the tools. Try another token.' };
  return { help: status === 404 || status === 405 ? pathHelp(location.url) : statusHelp(status) };
}

function tokenHelp(headers: Readonly<Record<string, string>>): string {
  const hasToken = Object.keys(headers).some((name) => name.toLowerCase() === 'authorization');
  return hasToken
    ? 'The server refused the token of --header: is it complete, and still valid?'
    : 'Add a token: --header "Authorization: Bearer …".';
}

/** The messages of all causes, because `fetch failed` alone does not help. */
function messagesOf(chain: readonly Error[]): string {
  const parts: string[] = [];
  for (const { message } of chain) {
    if (message !== '' && !parts.some((part) => part.includes(message))) parts.push(message);
  }
  return parts.join(': ').replace(/\.$/, '').slice(0, 300);
}

/** The status that a server answered with, if that is what went wrong. */
function statusOf(chain: readonly Error[]): number | undefined {
  return chain.map(statusIn).find((status) => status !== undefined);
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
