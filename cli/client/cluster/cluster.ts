import { inheritedEnv } from '../connect/index.js';
import { startIssuer } from '../../../runtime/testing/issuer.js';
import { createAudit } from './audit.js';
import { type Called, showCalls, type Wanted } from './calls.js';
import { startDatabase } from './database.js';
import {
  type Environment,
  exitAtOnce,
  migrate,
  type Node,
  onFatalSignal,
  startNode,
} from './processes.js';
import { readProject } from './project.js';
import { startProxy } from './proxy.js';

export interface ClusterOptions {
  /** Of the server's project. */
  readonly folder: string;
  /** Of the proxy; 0 for any free port. */
  readonly port: number;
  /** Whether to end when the client has finished. */
  readonly isOnce: boolean;
  /** Default: the example of `new server`, where the server has it. */
  readonly wanted: Wanted | undefined;
  /** The URL of an empty database. Default: a PostgreSQL server that the project has installed. */
  readonly database: string | undefined;
}

/** The process around a cluster. */
export interface ClusterIo {
  readonly env: Environment;
  readonly onInterrupt: (then: () => void) => () => void;
  readonly onEvent: (event: ClusterEvent) => void;
}

/** What a cluster shows. */
export type ClusterEvent =
  | { readonly kind: 'node'; readonly name: string; readonly pid: number; readonly url: string }
  | { readonly kind: 'proxy'; readonly url: string }
  | ({ readonly kind: 'call' } & Called)
  | { readonly kind: 'ready'; readonly url: string; readonly headers: Headers }
  | { readonly kind: 'message'; readonly message: string };

type Headers = Readonly<Record<string, string>>;

const ROLES = { 'web-1': 'web', 'web-2': 'web', 'worker-1': 'worker', 'worker-2': 'worker' };
const DAY_SECONDS = 86_400;

/**
 * Runs a cluster on this machine, for trying: a database, two web nodes, two workers, a reverse proxy, and a client
 * that shows which node did what. Resolves after the first Ctrl-C, or with `isOnce` when the client has finished.
 *
 * @throws {ClusterError}
 */
export async function runCluster(options: ClusterOptions, io: ClusterIo): Promise<void> {
  const project = await readProject(options.folder, io.env);
  const { onEvent } = io;
  const audit = createAudit();
  const nodes: Node[] = [];
  const endings: (() => unknown)[] = [];
  const message = (text: string): void => onEvent({ kind: 'message', message: text });
  const stopped = stopOf(io, endings, () => message('Stopping'));

  async function environmentFor(): Promise<{ env: Environment; headers: Headers }> {
    const database = options.database ?? (await ownDatabase(options.folder, endings));
    const settings = {
      DATABASE_URL: database,
      LOG_LEVEL: 'info',
      DRAIN_MS: '1000',
      HOST: '127.0.0.1',
      PORT: '0',
      MIGRATE_AT_START: 'false',
    };
    const env = { ...inheritedEnv(io.env), ...settings };
    if (!project.isAuthorized) return { env, headers: {} };
    const issuer = await startIssuer();
    endings.push(() => issuer.close());
    const token = issuer.token({ exp: Math.floor(Date.now() / 1000) + DAY_SECONDS });
    return {
      env: { ...env, ...issuer.environment },
      headers: { authorization: `Bearer ${token}` },
    };
  }

  async function startNodes(env: Environment): Promise<void> {
    endings.push(() => Promise.all(nodes.map((node) => node.stop())));
    const starting = Object.entries(ROLES).map(async ([name, role]) => {
      const onLine = audit.note.bind(undefined, name);
      nodes.push(await startNode(project, { name, role, env, onLine, onMessage: message }));
    });
    // When one fails, the others are ended too.
    for (const each of await Promise.allSettled(starting)) {
      if (each.status === 'rejected') throw each.reason;
    }
    nodes.sort((a, b) => (a.name < b.name ? -1 : 1));
  }

  try {
    // First, because the port may be in use.
    const proxy = await startProxy(nodes, options.port);
    endings.push(() => proxy.close());
    const { env, headers } = await environmentFor();
    await migrate(project, env);
    await startNodes(env);
    for (const { name, pid, url } of nodes) onEvent({ kind: 'node', name, pid, url });
    onEvent({ kind: 'proxy', url: proxy.url });
    const calls = showCalls(proxy.url, headers, options.wanted, audit, (called) =>
      onEvent({ kind: 'call', ...called }),
    );
    calls.catch(() => undefined);
    await Promise.race([calls, stopped]);
    if (options.isOnce) return;
    onEvent({ kind: 'ready', url: proxy.url, headers });
    await stopped;
  } finally {
    for (const end of endings.reverse()) await end();
  }
}

async function ownDatabase(folder: string, endings: (() => unknown)[]): Promise<string> {
  const database = await startDatabase(folder);
  endings.push(() => database.stop());
  return database.url;
}

/** Resolves at the first signal. A second one ends this process at once. */
function stopOf(
  { onInterrupt }: ClusterIo,
  endings: (() => unknown)[],
  onStop: () => void,
): Promise<void> {
  return new Promise((resolve) => {
    let isStopping = false;
    const stop = (): void => {
      if (isStopping) exitAtOnce();
      isStopping = true;
      onStop();
      resolve();
    };
    endings.push(onInterrupt(stop), onFatalSignal(stop));
  });
}
