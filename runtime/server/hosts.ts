import {
  BAD_REQUEST,
  type Incoming,
  refusal,
  refuseMalformedHost,
  type TextReply,
} from '../transport/index.js';
import { ConfigError } from './config-error.js';

/** Refuses requests with other host names (DNS rebinding), or without one. */
export function createHostCheck(
  allowed: readonly string[],
): (incoming: Incoming) => TextReply | undefined {
  // Making a URL takes long, and nearly all requests have the same header.
  let accepted: string | undefined;
  return (incoming) => {
    const host = incoming.header('host') ?? '';
    if (host === accepted) return undefined;
    const malformed = refuseMalformedHost(host);
    if (malformed !== undefined) return malformed;
    const problem = hostProblem(host, allowed);
    if (problem !== undefined) return refusal(403, BAD_REQUEST, problem);
    accepted = host;
    return undefined;
  };
}

function hostProblem(host: string, allowed: readonly string[]): string | undefined {
  if (host === '') return 'Missing Host header';
  const url = `http://${host}`;
  if (!URL.canParse(url)) return `Invalid Host header: ${host}`;
  // As URLs spell it: in lower case, and addresses in their usual form.
  const { hostname } = new URL(url);
  return allowed.includes(hostname) ? undefined : `Invalid Host: ${hostname}`;
}

/** The names under which clients call the server, in lower case. @throws {ConfigError} for one that none can call. */
export function checkedHosts(names: readonly string[]): string[] {
  return names.map((name) => {
    if (/^(?:[a-z0-9._~-]+|\[[0-9a-f:.]+\])$/i.test(name)) return name.toLowerCase();
    throw new ConfigError(
      `allowedHosts: ${JSON.stringify(name)} is not a host name without scheme and port, such as api.example`,
    );
  });
}
