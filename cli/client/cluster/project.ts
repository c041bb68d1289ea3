import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { ClusterError } from './error.js';

/** A built server over HTTP whose tasks are in PostgreSQL. */
export interface Project {
  readonly folder: string;
  /** Its main program. */
  readonly main: string;
  /** Whether it wants access tokens. */
  readonly isAuthorized: boolean;
}

/** The program of a project, after a build. */
const MAIN = join('dist', 'main.js');
const MAKE = 'mcp-codegen new server shop --transport http --store postgres';

/**
 * Reads what the program of the project says that it can be set to.
 *
 * @throws {ClusterError} for a folder without such a server.
 */
export async function readProject(
  folder: string,
  env: Readonly<Record<string, string | undefined>>,
): Promise<Project> {
  const main = join(folder, MAIN);
  if (!existsSync(join(folder, 'package.json'))) {
    throw new ClusterError(
      `${folder} is no project: it has no package.json.`,
      `Run this command in the folder of a server. To make one: ${MAKE}`,
    );
  }
  if (!existsSync(main)) {
    throw new ClusterError(`${main} does not exist.`, 'Build the server first: npm run build');
  }
  const settings = settingsIn(await helpOf(folder, main, env));
  const missing = ['DATABASE_URL', 'ROLE'].filter((name) => !settings.has(name));
  if (missing.length === 0) return { folder, main, isAuthorized: settings.has('AUTH_ISSUER') };
  throw new ClusterError(
    `The server in ${folder} is no server over HTTP with its tasks in PostgreSQL: it has no setting ${missing.join(', ')}.`,
    `Only such servers share their tasks. To make one: ${MAKE}`,
  );
}

/** What the program prints for `--help`. */
async function helpOf(
  folder: string,
  main: string,
  env: Readonly<Record<string, string | undefined>>,
): Promise<string> {
  const child = spawn(process.execPath, [main, '--help'], {
    cwd: folder,
    env: { ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
    // A server that does not understand `--help` would serve.
    timeout: HELP_MS,
  });
  const [out, problem, [code]] = await Promise.all([
    text(child.stdout),
    text(child.stderr),
    once(child, 'close') as Promise<[number | null]>,
  ]);
  if (code === 0) return out;
  const why = problem.trim().split('\n').at(-1) ?? '';
  throw new ClusterError(
    `node ${MAIN} --help failed${why === '' ? '' : `: ${why}`}.`,
    'Build the server again: npm run build',
  );
}

const HELP_MS = 30_000;

/** The names of environment variables at the beginnings of lines. */
function settingsIn(help: string): ReadonlySet<string> {
  return new Set([...help.matchAll(/^\s+([A-Z][A-Z0-9_]+)\b/gm)].map(([, name = '']) => name));
}
