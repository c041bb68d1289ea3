import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { choose, SERVER } from '../../generator/scaffold/index.js';
import { openWorkshop } from './workshop.js';

/** Servers as `new server` makes them, without authorization: one for each transport. */
export interface Scaffolded {
  /** How a client starts the one that speaks stdio. */
  readonly stdio: {
    readonly command: string;
    readonly args: string[];
    readonly cwd: string;
    readonly stderr: 'ignore';
  };
  /** Where the other one listens. */
  readonly url: URL;
  close(): Promise<void>;
}

const COMMAND = process.execPath;
const loader = fileURLToPath(import.meta.resolve('tsx'));
const ARGS = ['--import', loader, join('src', 'main.ts')];

export async function scaffold(): Promise<Scaffolded> {
  // Each client over stdio has a process of its own, and one process at a time may use a file.
  const combinations = ['stdio memory', 'http sqlite'].map((words) => {
    const [transport = '', store = ''] = words.split(' ');
    const flags = { transport, store };
    return { name: transport, flags, choices: choose(SERVER, flags) };
  });
  const workshop = openWorkshop();
  const [local = '', remote = ''] = await Promise.all(
    combinations.map((each) => workshop.make(each)),
  );
  allowInput(join(remote, 'src', 'server.ts'));
  const { child, url } = await serving(remote);
  return {
    stdio: { command: COMMAND, args: ARGS, cwd: local, stderr: 'ignore' },
    url,
    async close() {
      child.kill('SIGTERM');
      await once(child, 'exit');
      workshop.close();
    },
  };
}

/** Lets the tools of a server without authorization ask, as a user would who means it. */
function allowInput(file: string): void {
  const text = readFileSync(file, 'utf8');
  const option = 'allowUnidentified: true,';
  if (!text.includes(option)) throw new Error(`${file} does not set allowUnidentified`);
  writeFileSync(file, text.replace(option, `${option} allowUnidentifiedInput: true,`));
}

async function serving(cwd: string): Promise<{ child: ChildProcess; url: URL }> {
  const child = spawn(COMMAND, ARGS, {
    cwd,
    env: { ...process.env, PORT: '0' },
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  for await (const line of createInterface(child.stderr)) {
    const [, url] = /^Serving at (\S+)$/.exec(line) ?? [];
    if (url === undefined) continue;
    child.stderr.resume();
    return { child, url: new URL(url) };
  }
  throw new Error('The server ended at its start');
}
