import { nearest } from '../../json-schema/nearest.js';
import { mcpFiles, readMcpFile, shownFile } from './mcp-files.js';
import { serverIn } from './mcp-json.js';
import type { Surroundings } from './mcp-json.js';
import type { NamedServer } from './named-server.js';
import { openServers } from './servers.js';
import type { Servers } from './servers.js';
import { line, withoutPasswords } from './text.js';
import { UsageError } from './usage.js';

/** A file, or an entry of one, that cannot be used. */
export interface Unusable {
  readonly from: string;
  readonly problem: string;
}

/** Every server that has a name: the saved ones, and those of VS Code, Cursor and Claude, which are only read. */
export interface Book {
  readonly saved: Servers;
  /** The nearest first; of servers with the same name, the first is meant by it. */
  list(): Promise<{
    readonly servers: readonly NamedServer[];
    readonly unusable: readonly Unusable[];
  }>;
  /** By its exact name, `vscode:github`, or else the nearest one of the name `github`. @throws {UsageError} */
  find(name: string): Promise<NamedServer>;
}

export function openBook(around: Surroundings): Book {
  const { cwd, env } = around;
  const saved = openServers(env);

  async function list(): ReturnType<Book['list']> {
    const servers: NamedServer[] = await saved.named();
    const unusable: Unusable[] = [];
    for (const file of mcpFiles(cwd, env)) {
      const content = readMcpFile(file);
      const from = shownFile(file, env);
      if ('problem' in content) {
        unusable.push({ from, problem: content.problem });
        continue;
      }
      for (const entry of Object.entries(content.servers)) {
        const server = serverIn(file, content.inputs, entry, around);
        const named = line(entry[0], 80);
        // Such a name could be the exact name of another server.
        if (entry[0].includes(':'))
          unusable.push({ from, problem: `${named} has a colon in its name` });
        else if (server) servers.push(server);
        else unusable.push({ from, problem: `${named} has no url and no command` });
      }
    }
    return { servers, unusable };
  }

  return {
    saved,
    list,
    async find(name) {
      const { servers, unusable } = await list();
      const found =
        servers.find((each) => each.exact === name) ?? servers.find((each) => each.name === name);
      if (found) return found;
      throw unknownServer(name, servers, unusable);
    },
  };
}

function unknownServer(
  name: string,
  servers: readonly NamedServer[],
  unusable: readonly Unusable[],
): UsageError {
  const names = [...new Set(servers.map((each) => each.name))];
  const shown = JSON.stringify(line(withoutPasswords(name), 80));
  const meant = nearest(name, names);
  const known = names.length === 0 ? 'none' : line(names.join(', '), 500);
  const broken = unusable.map(({ from, problem }) => ` ${from} is not used: ${problem}.`).join('');
  const help =
    meant === undefined
      ? `Known: ${known}.${broken} A URL begins with http:// or https://.`
      : `Did you mean ${line(meant, 80)}?`;
  return new UsageError(`There is no server ${shown}.`, help);
}
