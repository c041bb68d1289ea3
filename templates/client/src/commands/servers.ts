import { shownServer } from '../location.js';
import { done } from '../session.js';
import type { Outcome, Session } from '../session.js';
import { table } from '../text.js';
import { serverOf } from './call.js';

/** `servers`: the saved servers, with the variables that they need. */
export async function listServers({ servers }: Session): Promise<Outcome> {
  const saved = [...(await servers.list())];
  const rows = saved.map(([name, { location, headers, token }]) => [
    name,
    shownServer(location),
    [
      ...Object.entries(headers).map(([header, variable]) => `${header}=$${variable}`),
      ...(token === undefined ? [] : [`token=$${token}`]),
    ].join(' '),
  ]);
  const text = rows.length === 0 ? 'No servers are saved.\n' : table(rows);
  return done(text, { servers: saved.map(([name, server]) => ({ name, ...server })) });
}

/** `servers add`: keeps a server under a name. */
export async function addServer(session: Session, name: string): Promise<Outcome> {
  const location = serverOf(session);
  const { headers, token } = session.invocation.variables;
  const server = { location, headers, ...(token !== undefined && { token }) };
  await session.servers.add(name, server);
  return done(`Saved. Use it: my-mcp-client tools --server ${name}\n`, {
    server: { name, ...server },
  });
}

/** `servers remove`. */
export async function removeServer({ servers }: Session, name: string): Promise<Outcome> {
  await servers.remove(name);
  return done(`Removed ${name}.\n`, { removed: name });
}
