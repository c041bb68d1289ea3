import {
  PrivateFileError,
  readPrivateFile,
  writePrivateFile,
} from '@mcp-codegen/runtime/client/node';
import { join } from 'node:path';
import { configFolder } from './config.js';
import { UsageError } from './exit.js';
import { isLocation } from './location.js';
import type { ServerLocation } from './location.js';
import { line } from './text.js';

/** Header → name of the environment variable with its value. */
export type HeaderVariables = Readonly<Record<string, string>>;

/** A server with a name. It contains no secrets: these come from environment variables. */
export interface SavedServer {
  readonly location: ServerLocation;
  readonly headers: HeaderVariables;
  /** The environment variable with the token. */
  readonly token?: string | undefined;
}

/** The servers that the user has named, in one private file. */
export interface Servers {
  list(): Promise<ReadonlyMap<string, SavedServer>>;
  /** @throws {UsageError} */
  find(name: string): Promise<SavedServer>;
  /** @throws {UsageError} when there is one of this name. */
  add(name: string, server: SavedServer): Promise<void>;
  /** @throws {UsageError} */
  remove(name: string): Promise<void>;
}

const NAME = /^[a-z\d][\w.-]{0,63}$/i;

export function isServerName(text: string): boolean {
  return NAME.test(text);
}

export function openServers(env: Readonly<Record<string, string | undefined>>): Servers {
  const path = join(configFolder(env), 'servers.json');

  async function list(): Promise<Map<string, SavedServer>> {
    const read = (await readPrivateFile(path)) ?? { servers: {} };
    const { servers } = Object(read) as { servers?: unknown };
    const entries = Object.entries(Object(servers) as object) as [string, unknown][];
    const broken = entries.find(([name, server]) => !isServerName(name) || !isSaved(server));
    if (typeof servers === 'object' && broken === undefined) {
      return new Map(entries as [string, SavedServer][]);
    }
    const what = broken ? `a server ${JSON.stringify(line(broken[0], 80))} that` : 'something that';
    throw new PrivateFileError(`${path} contains ${what} is not valid. Mend it or delete it.`);
  }

  const write = (servers: ReadonlyMap<string, SavedServer>): Promise<void> =>
    writePrivateFile(path, { servers: Object.fromEntries(servers) });

  async function find(name: string): Promise<SavedServer> {
    const servers = await list();
    const found = servers.get(name);
    if (found) return found;
    const names = [...servers.keys()].join(', ') || 'none';
    throw new UsageError(
      `There is no saved server ${JSON.stringify(name)}. Saved: ${names}. A URL begins with http:// or https://.`,
    );
  }

  return {
    list,
    find,
    async add(name, server) {
      const servers = await list();
      if (servers.has(name)) {
        throw new UsageError(`There is a server ${name} already: servers remove ${name}`);
      }
      await write(new Map([...servers, [name, server]]));
    },
    async remove(name) {
      await find(name);
      const servers = await list();
      await write(new Map([...servers].filter(([each]) => each !== name)));
    },
  };
}

function isSaved(server: unknown): server is SavedServer {
  const { location, headers, token } = Object(server) as Record<string, unknown>;
  return (
    isLocation(location) &&
    typeof headers === 'object' &&
    headers !== null &&
    Object.values(headers).every((each) => typeof each === 'string') &&
    (token === undefined || typeof token === 'string')
  );
}
