import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { printable } from '../../../json-schema/text.js';
import { ClusterError } from './error.js';
import type { Project } from './project.js';

export type Environment = Readonly<Record<string, string | undefined>>;

/** A process of the server. */
export interface Node {
  readonly name: string;
  readonly role: string;
  readonly pid: number;
  /** What it serves: `/mcp`, or the health page of a worker. */
  readonly url: string;
  /** Ends it, so that its tasks may finish. Safe to call again. */
  stop(): Promise<void>;
}

/** A line of a node's log. */
export interface LogLine {
  readonly event?: unknown;
  readonly level?: unknown;
  readonly msg?: unknown;
  readonly address?: unknown;
  readonly taskId?: unknown;
}

export interface NodeOptions {
  readonly name: string;
  readonly role: string;
  readonly env: Environment;
  /** Gets each line of its log that is JSON. */
  readonly onLine: (line: LogLine) => void;
  /** Gets what a person should read. */
  readonly onMessage: (message: string) => void;
}

/** Lines of standard error that an error quotes. */
const QUOTED = 10;

/** Starts a node, and resolves when it serves. @throws {ClusterError} */
export async function startNode(project: Project, options: NodeOptions): Promise<Node> {
  const { name, role, env, onLine, onMessage } = options;
  const child = spawn(process.execPath, [project.main, '--role', role], {
    cwd: project.folder,
    env: { ...env },
    stdio: ['ignore', 'ignore', 'pipe'],
    // Ctrl-C in a terminal reaches every process of a group, and this one ends the nodes in its own order.
    detached: true,
  });
  const forget = killAtExit(child);
  const last: string[] = [];
  let isStopping = false;
  const address = new Promise<string>((resolve) => {
    createInterface(child.stderr).on('line', (text) => {
      last.push(printable(text));
      if (last.length > QUOTED) last.shift();
      const line = lineOf(text);
      if (line === undefined) return onMessage(`${name}: ${printable(text)}`);
      if (line.event === 'started' && typeof line.address === 'string') resolve(line.address);
      if (line.level !== 'info') onMessage(`${name}: ${printable(String(line.msg))}`);
      onLine(line);
    });
  });
  child.once('exit', (code, signal) => {
    forget();
    if (!isStopping) onMessage(`${name}: ended with ${signal ?? `exit code ${code}`}`);
  });
  const url = await Promise.race([address, failedStart(name, child, last)]);
  return {
    name,
    role,
    url,
    pid: child.pid ?? 0,
    async stop() {
      isStopping = true;
      await end(child);
    },
  };
}

/** Runs the command of the server that creates its tables. @throws {ClusterError} */
export async function migrate({ folder, main }: Project, env: Environment): Promise<void> {
  const child = spawn(process.execPath, [main, 'migrate'], {
    cwd: folder,
    env: { ...env },
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  const lines: string[] = [];
  createInterface(child.stderr).on('line', (line) => lines.push(printable(line)));
  const [code] = (await once(child, 'close')) as [number | null];
  if (code === 0) return;
  const why = lines.slice(-QUOTED).join('\n');
  throw new ClusterError(`The tables were not created:\n${why}`, undefined, 'failed');
}

/** Rejects when a process ends, with the last lines that it wrote. */
export async function failedStart(
  name: string,
  child: ChildProcess,
  last: readonly string[] = [],
): Promise<never> {
  const [code, signal] = (await once(child, 'close')) as [number | null, string | null];
  const said = last.length === 0 ? '' : `:\n${last.join('\n')}`;
  const how = signal ?? `exit code ${code}`;
  throw new ClusterError(`${name} ended at its start with ${how}${said}`, undefined, 'failed');
}

function lineOf(text: string): LogLine | undefined {
  if (!text.startsWith('{')) return undefined;
  try {
    return JSON.parse(text) as LogLine;
  } catch {
    return undefined;
  }
}

async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const exited = once(child, 'exit');
  child.kill('SIGTERM');
  await exited;
}

/** Nodes that run. They get no signal of the terminal, so this process ends them however it ends. */
const running = new Set<ChildProcess>();

function killAtExit(child: ChildProcess): () => void {
  if (running.size === 0) process.once('exit', killAll);
  running.add(child);
  return () => {
    running.delete(child);
    if (running.size === 0) process.off('exit', killAll);
  };
}

function killAll(): void {
  for (const child of running) child.kill('SIGKILL');
}

/** The signals that end a process without the event `exit`. */
const FATAL = ['SIGTERM', 'SIGHUP'] as const;

/** Calls the listener at each signal, instead of ending this process. Returns what undoes that. */
export function onFatalSignal(listener: () => void): () => void {
  for (const signal of FATAL) process.on(signal, listener);
  return () => {
    for (const signal of FATAL) process.off(signal, listener);
  };
}

/** Ends this process, and the nodes with it. */
export function exitAtOnce(): never {
  process.exit(1);
}
