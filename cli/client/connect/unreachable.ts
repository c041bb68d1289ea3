import { DiagnosticError } from '../../../generator/diagnostics/index.js';
import { quote } from '../../../json-schema/text.js';
import type { ServerLocation } from './location.js';
import { causesOf, diagnose, RUN_ITSELF, statusOf } from './failures.js';
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
  const isCommand = 'command' in location;
  const large = chain.findLast(
    (each) => each instanceof TooLarge || each.message.includes('(maxMessageBytes)'),
  );
  if (large && statusOf(error) === undefined) {
    const reason = large.message.replace(/^T| \(maxMessageBytes\)$/g, (part) =>
      part === 'T' ? 't' : '',
    );
    return { reason, ...(isCommand && { help: RUN_ITSELF }) };
  }
  return diagnose(error, {
    ...location,
    ...{ timeout, isLate: timeout !== undefined },
    said: messagesOf(chain) || String(error),
    slow: 'mcp-codegen tools with a longer --timeout',
    help: {
      401: isCommand ? '' : tokenHelp(location.headers),
      403: 'Its user may not list the tools. Try another token.',
    },
  });
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

/** The line of standard error that contains the reason. The last line is often a version. */
function tellingLine(said: string): string {
  const lines = said.split('\n').filter((line) => line.trim() !== '');
  // Node.js prints the line of the source that throws before the error.
  const found =
    lines.find((line) => /^\w*Error\b.*:/.test(line)) ??
    lines.find((line) => /error|cannot|failed/i.test(line));
  return found ?? lines.at(-1) ?? '';
}
