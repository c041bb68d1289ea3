import { existsSync } from 'node:fs';
import type { ServerLocation } from './client/connect/index.js';
import { quote } from '../json-schema/text.js';
import { CommandFailure, EXIT, UsageError } from './exit.js';
import type { Io } from './io.js';
import { locationOf, parseHeader } from './server-location.js';

/** The server that a proxy stands in front of, as the command line names it. */
export interface ProxiedArguments {
  /** A URL or a name. */
  readonly server?: string | undefined;
  /** After `--`. */
  readonly command?: readonly string[] | undefined;
  readonly header?: readonly string[] | undefined;
}

/** A URL, a command, or the server of a name with the values of its variables. @throws {UsageError} */
export async function proxiedServer(
  { server, command = [], header }: ProxiedArguments,
  io: Io,
): Promise<ServerLocation> {
  if (server === undefined || command.length > 0) {
    if (server !== undefined) {
      throw new UsageError(
        'Two servers are given.',
        `Remove ${quote(server)}, or -- and the command.`,
      );
    }
    return await inherited(locationOf({ server: command, header }, io));
  }
  if (server.includes('://')) return locationOf({ server: [server], header }, io);
  return await namedServer(server, header, io);
}

/** A saved server, or one of an `mcp.json`. */
async function namedServer(
  name: string,
  header: readonly string[] = [],
  io: Io,
): Promise<ServerLocation> {
  const client = await import('./client/index.js');
  const ask = (message: string): Promise<never> => {
    // Standard input has the messages of the client.
    const what = `The server ${quote(name)} needs a value that its user types: ${message}.`;
    const help = 'Give the URL of the server, or -- and its command.';
    return Promise.reject(new client.UsageError(what, help));
  };
  try {
    const found = await client.openBook({ cwd: io.cwd, env: io.env, ask }).find(name);
    const { location, headers, token, env, cwd } = await found.connection();
    if (found.notice !== undefined) io.err.write(`${found.notice()}\n`);
    const folder = cwd ?? found.folder ?? io.cwd;
    if (!('url' in location)) {
      if (header.length > 0) throw new client.UsageError('--header needs a server URL.');
      if (existsSync(folder))
        return await inherited({ ...location, cwd: folder, env: io.env }, env);
      throw new client.UsageError(
        `The folder ${quote(folder)}, in which the server starts, does not exist.`,
      );
    }
    const own = token === undefined ? {} : { authorization: `Bearer ${token()}` };
    const given = Object.fromEntries(header.map(parseHeader));
    return { url: new URL(location.url), headers: { ...headers, ...own, ...given } };
  } catch (error) {
    const explained = client.explain(error, { tool: undefined, location: undefined });
    if (explained?.kind !== 'usage') throw error;
    throw new CommandFailure(explained.message, EXIT.usage, explained.help, explained.data, {
      cause: error,
    });
  }
}

/** With the environment that a started server gets. */
async function inherited(
  location: ServerLocation,
  more: Readonly<Record<string, string>> = {},
): Promise<ServerLocation> {
  if ('url' in location) return location;
  const { inheritedEnv } = await import('./client/connect/index.js');
  return { ...location, env: { ...inheritedEnv(location.env), ...more } };
}
