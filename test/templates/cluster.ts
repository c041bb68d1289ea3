import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { PROGRAM } from './workshop.js';

/** A line of a server's log. */
export interface Noted {
  readonly event: string;
  readonly level: string;
  readonly msg: string;
  readonly taskId?: string;
}

/** A process of a scaffolded server. */
export interface Node {
  readonly child: ChildProcess;
  /** What it serves: `/mcp`, or the health page of a worker. */
  readonly url: URL;
  /** What it has logged, so far. */
  readonly noted: readonly Noted[];
  /** Everything else that it has written to standard error. */
  readonly lines: readonly string[];
  kill(signal?: NodeJS.Signals): Promise<void>;
}

/** Starts the program of a project that was built, and resolves when it serves. */
export async function startNode(
  cwd: string,
  environment: Readonly<Record<string, string>>,
  ...args: readonly string[]
): Promise<Node> {
  const child = spawn(process.execPath, [PROGRAM, ...args], {
    cwd,
    env: { PATH: process.env['PATH'], PORT: '0', ...environment },
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  const exited = once(child, 'exit');
  const noted: Noted[] = [];
  const lines: string[] = [];
  const reader = createInterface(child.stderr);
  const url = await new Promise<URL>((resolve, reject) => {
    reader.on('line', (line) => {
      if (line.startsWith('{')) noted.push(JSON.parse(line) as Noted);
      else lines.push(line);
      const [, found] = /Serving at ([^\s"]+)/.exec(line) ?? [];
      if (found !== undefined) resolve(new URL(found));
    });
    reader.on('close', () => reject(new Error(`The server ended:\n${lines.join('\n')}`)));
  });
  return {
    child,
    url,
    noted,
    lines,
    async kill(signal = 'SIGKILL') {
      child.kill(signal);
      await exited;
    },
  };
}
