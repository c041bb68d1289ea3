import { fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { ClusterError } from './error.js';
import { failedStart } from './processes.js';

/** What the process of the database says when it has started, or cannot start. */
export type DatabaseMessage =
  { readonly url: string; readonly problem?: undefined } | { readonly problem: string };

export interface Database {
  readonly url: string;
  stop(): Promise<unknown>;
}

/** Beside this file, in the sources and in the bundled command line. */
const PROCESS = import.meta.url.endsWith('.ts') ? 'database-process.ts' : 'database-process.js';

/**
 * Starts the PostgreSQL server that the project has installed. Its data is removed when it stops.
 *
 * @throws {ClusterError}
 */
export async function startDatabase(project: string): Promise<Database> {
  const child = fork(fileURLToPath(new URL(PROCESS, import.meta.url)), [project], {
    cwd: project,
    detached: true,
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  });
  const ended = once(child, 'exit');
  const message = once(child, 'message') as Promise<[DatabaseMessage]>;
  const [said] = await Promise.race([message, failedStart('The database', child)]);
  async function stop(): Promise<void> {
    if (child.connected) child.disconnect();
    await ended;
  }
  if (said.problem === undefined) return { url: said.url, stop };
  await stop();
  throw new ClusterError(said.problem, undefined, 'failed');
}
