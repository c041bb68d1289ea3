import { shownArgs, shownServer } from '../location.js';
import type { ServerLocation } from '../location.js';
import type { NamedServer } from '../named-server.js';
import { done } from '../outcome.js';
import type { CommandResult } from '../outcome.js';
import type { HeaderVariables } from '../servers.js';
import { isServerName } from '../servers.js';
import type { CommandContext } from '../session.js';
import { line, table } from '../text.js';
import { UsageError } from '../usage.js';

/** The servers with names, with their files and the variables that they need. It asks no server. */
export async function listServers({ book, io }: CommandContext): Promise<CommandResult> {
  const { servers, unusable } = await book.list();
  for (const { from, problem } of unusable) {
    io.err.write(`Cannot read all of ${line(from)}: ${line(problem)}.\n`);
  }
  const rows = servers.map((server) => [
    nameOf(server, servers),
    server.from,
    shownServer(server.location),
    server.needs.join(' '),
  ]);
  const text =
    rows.length === 0 ? 'No servers have a name yet: mcp-codegen servers add\n' : table(rows, io);
  return done(text, { servers: servers.map(shownNamed), unusable });
}

/** The exact name for a server that another one hides. */
function nameOf({ name, exact }: NamedServer, all: readonly NamedServer[]): string {
  return all.find((each) => each.name === name)?.exact === exact ? name : exact;
}

function shownNamed({ name, exact, from, folder, location, needs }: NamedServer): object {
  const shown =
    'url' in location
      ? { url: shownServer(location) }
      : { command: location.command, args: shownArgs(location.args) };
  return { name, exact, from, ...(folder !== undefined && { folder }), location: shown, needs };
}

export interface Added {
  readonly name: string;
  readonly headers: HeaderVariables;
  /** The environment variable with the token. */
  readonly token: string | undefined;
}

/** Saves the server of the command line under a name. */
export async function addServer(
  session: CommandContext,
  { name, headers, token }: Added,
): Promise<CommandResult> {
  if (!isServerName(name)) {
    throw new UsageError(
      `${JSON.stringify(line(name, 80))} is no name of a server.`,
      'Use up to 64 letters, digits, dots, hyphens and underscores.',
    );
  }
  const { server: location, cwd, saved } = await session.target();
  if (saved !== undefined) {
    throw new UsageError(
      `${saved} has a name already.`,
      'Give a URL, or -- and the command that starts the server.',
    );
  }
  const server = {
    location,
    headers,
    ...(cwd !== undefined && { cwd }),
    ...(token !== undefined && { token }),
  };
  await session.book.saved.add(name, server);
  return done(`Saved. Use it: mcp-codegen describe --server ${name}\n`, {
    server: { name, ...server, location: withoutSecrets(location) },
  });
}

function withoutSecrets(location: ServerLocation): object {
  return 'url' in location
    ? { url: shownServer(location) }
    : { command: location.command, args: shownArgs(location.args) };
}

/** Forgets a saved server. */
export async function removeServer({ book }: CommandContext, name: string): Promise<CommandResult> {
  await book.saved.remove(name);
  return done(`Removed ${name}.\n`, { removed: name });
}
