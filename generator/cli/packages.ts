import { spawn } from 'node:child_process';
import { once } from 'node:events';
import type { Folder } from '../write/index.js';
import type { Environment, Io } from './io.js';
import { Progress } from './progress.js';

const LOCK_FILES = {
  npm: 'package-lock.json',
  pnpm: 'pnpm-lock.yaml',
  yarn: 'yarn.lock',
  bun: 'bun.lock',
} as const;
type PackageManager = keyof typeof LOCK_FILES;
const MANAGERS = Object.keys(LOCK_FILES) as PackageManager[];

/** The package manager of the first lock file, else the one that started this process, else npm. */
export function packageManager(
  folders: readonly Folder[],
  { npm_config_user_agent: caller = '' }: Environment,
): PackageManager {
  const locked = MANAGERS.find((each) =>
    folders.some((folder) => folder.look(LOCK_FILES[each]).kind === 'file'),
  );
  return locked ?? MANAGERS.find((each) => caller.startsWith(`${each}/`)) ?? 'npm';
}

/**
 * Runs a command such as `npm install`. Its output goes to stderr, and so does its name, with the seconds so far
 * on a terminal, because package managers are silent for long.
 *
 * @throws when it fails.
 */
export async function runIn(cwd: string, command: string, io: Io): Promise<void> {
  const [program = '', ...args] = command.split(' ');
  // On Windows package managers are scripts, which need a shell. The command contains no user input.
  const shell = io.env['OS'] === 'Windows_NT';
  const child = spawn(program, args, {
    cwd,
    env: io.env,
    shell,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const progress = new Progress(io.err);
  const started = performance.now();
  const elapsed = (): string => ((performance.now() - started) / 1000).toFixed(0);
  io.err.write(`$ ${command}\n`);
  const timer = setInterval(() => progress.show(() => `${command}: ${elapsed()} s`), 200);
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (text: string) => {
      progress.clear();
      io.err.write(text);
    });
  }
  const [code] = (await once(child, 'close').finally(() => clearInterval(timer))) as [
    number | null,
  ];
  progress.clear();
  if (code !== 0) throw new Error(`${command} ended with ${String(code)}.`);
}
