import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';

import { compiled } from '../../support/program.js';
import { networkTo, type Network } from './network.js';
import type { NodeMessage, NodeOptions, NodeOrder, NodeRole } from './node.js';

/** One of several processes. It is started again whenever it ends, as a platform does. */
export interface ChaosNode {
  readonly name: string;
  readonly role: NodeRole;
  readonly network: Network;
  /** Where it serves. Undefined while it does not. */
  readonly url: string | undefined;
  /** A fault is at work on it. */
  busy: boolean;
  kill(signal: NodeJS.Signals): void;
  /** Sets by how many milliseconds its wall clock is wrong. A restart sets it right. */
  setWallClock(ms: number): void;
  /** Ends it as a deployment does, for good. */
  retire(): Promise<void>;
}

export interface Cluster {
  readonly nodes: readonly ChaosNode[];
  /** Those that clients send their requests to. */
  fronts(): readonly ChaosNode[];
  /** A node of the role, by default of the one that has the fewest. Resolves when it accepts requests. */
  add(role?: NodeRole): Promise<void>;
  remove(node: ChaosNode): Promise<void>;
  /** How often nodes reported each type of audit event. */
  readonly audit: ReadonlyMap<string, number>;
  close(): Promise<void>;
}

export type ClusterOptions = Omit<NodeOptions, 'name' | 'role'>;

const ROLES: Readonly<Record<NodeOptions['executor'], readonly NodeRole[]>> = {
  'in-process': ['all'],
  dbos: ['web', 'worker'],
};

function rarest(roles: readonly NodeRole[], expected: readonly NodeRole[]): NodeRole {
  const count = (role: NodeRole): number => expected.filter((each) => each === role).length;
  return roles.reduce((rare, role) => (count(role) < count(rare) ? role : rare));
}

const RESTART_AFTER_MS = 200;
const NODE = compiled(new URL('./node.ts', import.meta.url));

export function createCluster(options: ClusterOptions): Cluster {
  const nodes: ChaosNode[] = [];
  /** The roles of the nodes, those included that are being started. */
  const expected: NodeRole[] = [];
  const audit = new Map<string, number>();
  const { hostname, port } = new URL(options.database);
  let made = 0;

  function receive(message: NodeMessage): void {
    if (message.kind === 'audit') audit.set(message.type, (audit.get(message.type) ?? 0) + 1);
  }

  return {
    nodes,
    audit,
    fronts: () => nodes.filter(({ role }) => role !== 'worker'),
    async add(role = rarest(ROLES[options.executor], expected)) {
      expected.push(role);
      made += 1;
      const network = await networkTo({ host: hostname, port: Number(port) });
      const database = new URL(options.database);
      [database.hostname, database.port] = ['127.0.0.1', String(network.port)];
      const own = { ...options, name: `chaos-${made}`, role, database: database.href };
      const node = startNode(own, network, receive);
      nodes.push(node);
      // No fault before it serves: one that ended it for good would be waited for in vain.
      node.busy = true;
      await serving(node);
      node.busy = false;
    },
    async remove(node) {
      nodes.splice(nodes.indexOf(node), 1);
      expected.splice(expected.indexOf(node.role), 1);
      await node.retire();
    },
    async close() {
      await Promise.all(nodes.map((node) => node.retire()));
    },
  };
}

function startNode(
  options: NodeOptions,
  network: Network,
  onMessage: (message: NodeMessage) => void,
): ChaosNode {
  let child: ChildProcess | undefined;
  let url: string | undefined;
  let retired = false;

  function start(): void {
    if (retired) return;
    const args = ['--enable-source-maps', NODE, JSON.stringify(options)];
    const started = spawn(process.execPath, args, { stdio: ['ignore', 'ignore', 'pipe', 'ipc'] });
    child = started;
    let problem = '';
    started.stderr?.setEncoding('utf8').on('data', (text: string) => (problem += text));
    started.on('message', (message: NodeMessage) => {
      if (message.kind === 'listening') url = message.url;
      onMessage(message);
    });
    // After the last line of stderr.
    started.on('close', (code, signal) => {
      url = undefined;
      // A node that cannot reach PostgreSQL at its start gives up; another fault is one of the code.
      const isExpected = signal !== null || code === 0 || /PostgresError/.test(problem);
      if (!isExpected) console.error(`${options.name} ended with ${code}:\n${problem}`);
      setTimeout(start, RESTART_AFTER_MS);
    });
  }

  start();
  return {
    name: options.name,
    role: options.role,
    network,
    busy: false,
    get url() {
      return url;
    },
    kill: (signal) => void child?.kill(signal),
    setWallClock(ms) {
      const order: NodeOrder = { wallClock: ms };
      if (child?.connected) child.send(order, () => undefined);
    },
    async retire() {
      retired = true;
      if (child !== undefined && child.exitCode === null && child.signalCode === null) {
        const ended = once(child, 'exit');
        const impatience = setTimeout(() => child?.kill('SIGKILL'), 10_000);
        child.kill('SIGTERM');
        await ended;
        clearTimeout(impatience);
      }
      network.close();
    },
  };
}

/** Resolves when the node accepts requests. */
export async function serving(node: ChaosNode): Promise<void> {
  while (node.url === undefined) await new Promise((resolve) => setTimeout(resolve, 20));
}
