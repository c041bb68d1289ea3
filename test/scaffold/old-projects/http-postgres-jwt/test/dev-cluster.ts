import { fork, spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { EventEmitter, once } from 'node:events';
import { createServer, request } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { createTaskClient } from '@mcp-codegen/runtime/client';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { startAuthorizationServer } from './app.js';
import { startPostgres } from './postgres.js';
import type { PostgresServer } from './postgres.js';

/**
 * A cluster on this machine, for trying: a database, two web nodes, two workers, a reverse proxy, and a
 * client that shows which node did what. It runs until Ctrl-C; with `--once`, until the client has finished.
 * The database is empty at the start, and removed at the end.
 */

const MAIN = fileURLToPath(new URL('../src/main.ts', import.meta.url));
const ROLES = { 'web-1': 'web', 'web-2': 'web', 'worker-1': 'worker', 'worker-2': 'worker' };

interface Node {
  readonly name: string;
  readonly role: string;
  readonly child: ChildProcess;
  readonly url: URL;
}

/** A line of a node's log. */
interface Line {
  readonly event?: string;
  readonly level: string;
  readonly msg: string;
  readonly address?: string;
  readonly taskId?: string;
}

/** The node of each event of a task, by type and id. */
const noted = new Map<string, string>();
const audit = new EventEmitter();

async function nodeOf(type: string, taskId: string): Promise<string> {
  for (;;) {
    const node = noted.get(`${type} ${taskId}`);
    if (node !== undefined) return node;
    await once(audit, 'noted');
  }
}

/** What the process of the database says when it has started, or cannot start. */
type Database =
  { readonly url: string; readonly problem?: undefined } | { readonly problem: string };

/**
 * A process of its own, because Ctrl-C in a terminal reaches every process of a group, and the nodes need
 * the database for longer. It ends with this process, however that ends.
 */
async function startDatabase(): Promise<{ url: string; stop: () => Promise<unknown> }> {
  const child = fork(fileURLToPath(import.meta.url), ['--database'], { detached: true });
  const [said] = (await Promise.race([once(child, 'message'), failure(child)])) as [Database];
  if (said.problem !== undefined) {
    child.disconnect();
    throw new Error(said.problem);
  }
  return {
    url: said.url,
    stop() {
      const exited = once(child, 'exit');
      child.disconnect();
      return exited;
    },
  };
}

async function runDatabase(): Promise<void> {
  const disconnected = once(process, 'disconnect');
  const say = (said: Database): unknown => process.send?.(said);
  let postgres: PostgresServer | undefined;
  try {
    postgres = await startPostgres();
    say({ url: await postgres.newDatabase() });
  } catch (error) {
    say({ problem: (error as Error).message });
  }
  await disconnected;
  await postgres?.stop();
  process.exit();
}

async function failure(child: ChildProcess): Promise<never> {
  await once(child, 'exit');
  throw new Error('A process of the cluster ended at its start');
}

/** Creates the tables. */
async function migrate(environment: NodeJS.ProcessEnv): Promise<void> {
  const child = spawn(process.execPath, [...process.execArgv, MAIN, 'migrate'], {
    env: environment,
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  const [code] = (await once(child, 'exit')) as [number | null];
  if (code !== 0) throw new Error('The tables were not created');
}

async function startNode(name: string, role: string, env: NodeJS.ProcessEnv): Promise<Node> {
  const child = spawn(process.execPath, [...process.execArgv, MAIN, '--role', role], {
    env: { ...env, PORT: '0', MIGRATE_AT_START: 'false' },
    stdio: ['ignore', 'ignore', 'pipe'],
    detached: true,
  });
  const serving = new Promise<URL>((resolve) => {
    createInterface(child.stderr).on('line', (line) => {
      if (!line.startsWith('{')) return console.log(`${name}: ${line}`);
      const { event, level, msg, address, taskId } = JSON.parse(line) as Line;
      if (event === 'started') resolve(new URL(address ?? ''));
      if (level !== 'info') console.log(`${name}: ${msg}`);
      noted.set(`${event} ${taskId}`, name);
      audit.emit('noted');
    });
  });
  return { name, role, child, url: await Promise.race([serving, failure(child)]) };
}

/** Stands for nginx: requests take turns, and those of a session go to the node that began it. */
async function startProxy(nodes: readonly Node[], port: number): Promise<URL> {
  let turn = 0;
  const proxy = createServer((incoming, outgoing) => {
    const web = nodes.filter(({ role }) => role === 'web');
    const [key] = String(incoming.headers['mcp-session-id']).split('.');
    const node = web.find(({ name }) => name === key) ?? web[(turn += 1) % web.length];
    if (!node) return void outgoing.writeHead(503).end();
    const { method, url = '/', headers } = incoming;
    const options = { method, headers: { ...headers, 'mcp-session-key': node.name } };
    const passed = request(new URL(url, node.url), options, (answer) => {
      outgoing.writeHead(answer.statusCode ?? 502, answer.headers).flushHeaders();
      answer.pipe(outgoing);
    });
    passed.on('error', () => {
      if (outgoing.headersSent) outgoing.destroy();
      else outgoing.writeHead(502).end();
    });
    outgoing.on('close', () => passed.destroy());
    incoming.pipe(passed);
  });
  proxy.listen(port, '127.0.0.1');
  await once(proxy, 'listening');
  proxy.unref();
  return new URL(`http://127.0.0.1:${(proxy.address() as AddressInfo).port}/mcp`);
}

/** Runs tasks by the proxy, and prints which node created each and which ran it. */
async function showTasks(url: URL, headers: Record<string, string>): Promise<void> {
  const client = createTaskClient({ name: 'dev-cluster', version: '1.0.0' });
  await client.connect(new StreamableHTTPClientTransport(url, { requestInit: { headers } }));
  const limits = [100_000, 200_000, 300_000];
  const lines = limits.map(async (limit) => {
    const handle = await client.start('count-primes', { limit });
    const id = handle.state?.taskId ?? '';
    const { structuredContent } = await handle.result();
    const [creator, runner] = await Promise.all([nodeOf('created', id), nodeOf('completed', id)]);
    const result = JSON.stringify(structuredContent);
    console.log(`count-primes ${limit}: ${result}, created by ${creator}, ran on ${runner}`);
  });
  await Promise.all(lines);
  await client.close();
}

interface Options {
  readonly port: number;
  /** Whether to end when the client has finished. */
  readonly isOnce: boolean;
}

async function runCluster({ port, isOnce }: Options): Promise<void> {
  const endings: (() => Promise<unknown>)[] = [];
  const nodes: Node[] = [];
  const stopped = stopSignal(() => nodes.forEach(({ child }) => child.kill('SIGKILL')));

  async function start(): Promise<void> {
    const headers: Record<string, string> = {};
    // First, because the port may be taken.
    const url = await startProxy(nodes, port);
    const database = await startDatabase();
    endings.push(database.stop);
    const environment: NodeJS.ProcessEnv = {
      ...process.env,
      DATABASE_URL: database.url,
      LOG_LEVEL: 'info',
      DRAIN_MS: '1000',
    };
    const authorization = await startAuthorizationServer();
    endings.push(() => authorization.close());
    Object.assign(environment, authorization.environment);
    const exp = Math.floor(Date.now() / 1000) + 86_400;
    headers['authorization'] = `Bearer ${authorization.issue({ exp })}`;
    await migrate(environment);
    endings.push(() => Promise.all(nodes.map(stop)));
    const starting = Object.entries(ROLES).map(async ([name, role]) => {
      nodes.push(await startNode(name, role, environment));
    });
    await Promise.all(starting);
    nodes.sort((a, b) => (a.name < b.name ? -1 : 1));
    for (const { name, child, url } of nodes)
      console.log(`${name}: process ${child.pid}, ${url.href}`);
    console.log(`proxy: ${url.href}`);
    await showTasks(url, headers);
    if (isOnce) return;
    const [header = ''] = Object.entries(headers).map(
      ([name, value]) => ` with "${name}: ${value}"`,
    );
    console.log(`Clients connect to ${url.href}${header}. Ctrl-C ends the cluster.`);
    await stopped;
  }

  // A signal takes effect when everything has started, so that everything is ended.
  try {
    await start();
  } finally {
    for (const end of endings.reverse()) await end();
  }
}

async function stop({ child }: Node): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const exited = once(child, 'exit');
  child.kill('SIGTERM');
  await exited;
}

/** Resolves at the first signal. A second one ends this process at once, after `end`. */
function stopSignal(end: () => void): Promise<void> {
  return new Promise((resolve) => {
    let stopping = false;
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
      process.on(signal, () => {
        if (stopping) {
          end();
          process.exit(1);
        }
        stopping = true;
        console.log('Stopping');
        resolve();
      });
    }
  });
}

const { values } = parseArgs({
  options: {
    database: { type: 'boolean', default: false },
    once: { type: 'boolean', default: false },
    port: { type: 'string', default: '8080' },
  },
});
try {
  if (values.database) await runDatabase();
  else await runCluster({ port: Number(values.port), isOnce: values.once });
  process.exit();
} catch (error) {
  console.error((error as Error).message);
  process.exit(1);
}
