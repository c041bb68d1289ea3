import {
  changePrivateFile,
  PrivateFileError,
  readPrivateFile,
} from '../../runtime/client/node/index.js';
import { isAbsolute, join } from 'node:path';
import { configFolder } from './folders.js';
import { variable } from './headers.js';
import type { Env } from './io.js';
import { isLocation } from './location.js';
import type { ServerLocation } from './location.js';
import type { NamedServer } from './named-server.js';
import { line } from './text.js';
import { UsageError } from './usage.js';

/** Header → name of the environment variable with its value. */
export type HeaderVariables = Readonly<Record<string, string>>;

/** A server with a name. It contains no secrets: these come from environment variables. */
export interface SavedServer {
  readonly location: ServerLocation;
  /** The folder in which its command starts. */
  readonly cwd?: string | undefined;
  readonly headers: HeaderVariables;
  /** The environment variable with the token. */
  readonly token?: string | undefined;
}

/** The servers that the user has saved, in one private file. */
export interface Servers {
  list(): Promise<ReadonlyMap<string, SavedServer>>;
  /** The same, as connections need them. */
  named(): Promise<NamedServer[]>;
  /** @throws {UsageError} when there is one of this name. */
  add(name: string, server: SavedServer): Promise<void>;
  /** @throws {UsageError} */
  remove(name: string): Promise<void>;
}

const NAME = /^[a-z\d][\w.-]{0,63}$/i;

export function isServerName(text: string): boolean {
  return NAME.test(text);
}

export function openServers(env: Env): Servers {
  const path = join(configFolder(env), 'servers.json');

  function serversIn(read: unknown = { servers: {} }): Map<string, SavedServer> {
    const { servers } = Object(read) as { servers?: unknown };
    const entries = Object.entries(Object(servers) as object) as [string, unknown][];
    const broken = entries.find(([name, server]) => !isServerName(name) || !isSaved(server));
    if (typeof servers === 'object' && broken === undefined) {
      return new Map(entries as [string, SavedServer][]);
    }
    const what = broken ? `a server ${JSON.stringify(line(broken[0], 80))} that` : 'something that';
    throw new PrivateFileError(`${path} contains ${what} is not valid. Mend it or delete it.`);
  }

  const list = async (): Promise<Map<string, SavedServer>> =>
    serversIn(await readPrivateFile(path));
  const change = (next: (servers: Map<string, SavedServer>) => void): Promise<void> =>
    changePrivateFile(path, (read) => {
      const servers = serversIn(read);
      next(servers);
      return { servers: Object.fromEntries(servers) };
    });

  return {
    list,
    async named() {
      return [...(await list())].map(([name, server]) => namedServer(name, server, env));
    },
    add: (name, server) =>
      change((servers) => {
        if (servers.has(name)) {
          throw new UsageError(
            `There is a saved server ${name} already.`,
            `To replace it, remove it first: mcp-codegen servers remove ${name}`,
          );
        }
        servers.set(name, server);
      }),
    remove: (name) =>
      change((servers) => {
        if (servers.delete(name)) return;
        const names = [...servers.keys()].join(', ') || 'none';
        const shown = JSON.stringify(line(name, 80));
        throw new UsageError(`There is no saved server ${shown}.`, `Saved: ${names}.`);
      }),
  };
}

function namedServer(name: string, saved: SavedServer, env: Env): NamedServer {
  const { location, cwd, headers, token } = saved;
  return {
    name,
    exact: `saved:${name}`,
    location,
    folder: cwd,
    from: 'saved',
    isProject: false,
    notice: undefined,
    needs: [
      ...Object.entries(headers).map(([header, from]) => `${header}=$${from}`),
      ...(token === undefined ? [] : [`token=$${token}`]),
    ],
    connection: () =>
      Promise.resolve({
        location,
        ...(cwd !== undefined && { cwd }),
        headers: valuesOf(headers, env),
        ...(token !== undefined && { token: () => variable(token, env, 'the token') }),
      }),
  };
}

/** Headers with the values of their variables. @throws {UsageError} */
export function valuesOf(headers: HeaderVariables, env: Env): Record<string, string> {
  return Object.fromEntries(
    Object.entries(headers).map(([name, from]) => [
      name,
      variable(from, env, `the header ${name}`),
    ]),
  );
}

function isSaved(server: unknown): server is SavedServer {
  const { location, cwd, headers, token } = Object(server) as Record<string, unknown>;
  return (
    isLocation(location) &&
    (cwd === undefined || (typeof cwd === 'string' && isAbsolute(cwd))) &&
    typeof headers === 'object' &&
    headers !== null &&
    Object.values(headers).every((each) => typeof each === 'string') &&
    (token === undefined || typeof token === 'string')
  );
}
