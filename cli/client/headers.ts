import type { Env } from './io.js';
import { UsageError } from './usage.js';

/** Headers that belong to the transport and the token. */
const RESERVED = /^(?:authorization|content-.*|accept|host|connection|mcp-.*|last-event-id)$/i;

/** Refuses the headers that belong to the protocol. @throws {UsageError} */
export function freeHeaders(headers: Readonly<Record<string, string>>): Record<string, string> {
  const entries = Object.entries(headers);
  return Object.fromEntries(entries.map(([name, value]) => [free(name, 'Use --token.'), value]));
}

/** `x-api-key=API_KEY` @throws {UsageError} */
export function parseHeaderVariable(written: string): [name: string, variable: string] {
  const [, name = '', variable = ''] = /^([\w!#$%&'*+.^`|~-]+)=([a-z_]\w*)$/i.exec(written) ?? [];
  if (name === '')
    throw new UsageError('--header-env is not name=VARIABLE.', 'Use --header-env X-Tenant=TENANT.');
  return [free(name, 'Use --token-env.'), variable];
}

function free(name: string, instead: string): string {
  if (!RESERVED.test(name)) return name.toLowerCase();
  const help = /^authorization$/i.test(name) ? instead : undefined;
  throw new UsageError(`The header ${name} belongs to the protocol.`, help);
}

/** A value that a header can contain. The error does not contain it. @throws {UsageError} */
export function sendable(value: string, what: string): string {
  if (/^[\t -~]*$/.test(value)) return value;
  throw new UsageError(`${what} contains characters that no header can contain, or a line end.`);
}

/** The value of an environment variable that a server needs. @throws {UsageError} when it is not set. */
export function variable(name: string, env: Env, what: string): string {
  const value = env[name];
  if (value !== undefined && value !== '') return sendable(value, `The variable ${name}`);
  throw new UsageError(
    `The environment variable ${name} is not set.`,
    `Set it to ${what} of the server.`,
  );
}
