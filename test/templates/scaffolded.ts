import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { choose, SERVER } from '../../generator/scaffold/index.js';
import { startIssuer } from '../../runtime/testing/index.js';
import { openWorkshop, PROGRAM } from './workshop.js';

/** Servers as `new server` makes them: one over stdio, two over HTTP. */
export interface Scaffolded {
  /** How a client starts the one that speaks stdio. */
  readonly stdio: {
    readonly command: string;
    readonly args: string[];
    readonly cwd: string;
    readonly stderr: 'ignore';
  };
  /** The one without authorization. Its tools do not ask users. */
  readonly open: { readonly url: URL; readonly cwd: string };
  /** The one with authorization, and what clients have to send. */
  readonly guarded: { readonly url: URL; readonly headers: { readonly authorization: string } };
  close(): Promise<void>;
}

const COMMAND = process.execPath;
const ARGS = [PROGRAM];

export async function scaffold(): Promise<Scaffolded> {
  const workshop = openWorkshop();
  const made = (name: string, flags: Record<string, string>): Promise<string> =>
    workshop.makeBuilt({ name, choices: choose(SERVER, flags) });
  const issuer = await startIssuer();
  // Each client over stdio has a process of its own, and one process at a time may use a file.
  const [local, open, guarded] = await Promise.all([
    made('local', { transport: 'stdio', store: 'memory' }),
    made('open', { transport: 'http', store: 'memory' }).then((cwd) => serving(cwd)),
    made('guarded', { transport: 'http', store: 'sqlite', auth: 'bearer' }).then((cwd) =>
      serving(cwd, issuer.environment),
    ),
  ]);
  return {
    stdio: { command: COMMAND, args: ARGS, cwd: local, stderr: 'ignore' },
    open: { url: open.url, cwd: open.cwd },
    guarded: {
      url: guarded.url,
      headers: { authorization: `Bearer ${issuer.token()}` },
    },
    async close() {
      for (const { child } of [open, guarded]) {
        child.kill('SIGTERM');
        await once(child, 'exit');
      }
      await issuer.close();
      workshop.close();
    },
  };
}

async function serving(
  cwd: string,
  environment: Readonly<Record<string, string>> = {},
): Promise<{ child: ChildProcess; url: URL; cwd: string }> {
  const child = spawn(COMMAND, ARGS, {
    cwd,
    env: { ...process.env, ...environment, PORT: '0' },
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  for await (const line of createInterface(child.stderr)) {
    const [, url] = /Serving at ([^\s"]+)/.exec(line) ?? [];
    if (url === undefined) continue;
    child.stderr.resume();
    return { child, url: new URL(url), cwd };
  }
  throw new Error('The server ended at its start');
}
