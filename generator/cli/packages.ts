import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { quote, systemFailure } from '../diagnostics/index.js';
import type { Folder } from '../write/index.js';
import { UsageError } from './exit.js';
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
 * Runs a command such as `npm install` in a project that is written. Its output goes to stderr, and so does its
 * name, with the seconds so far on a terminal, because package managers are silent for long.
 *
 * @throws {UsageError} when it fails, or is not there.
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
  try {
    const [code] = (await once(child, 'close')) as [number | null];
    if (code === 0) return;
    throw new UsageError(`${quote(command)} ended with exit code ${String(code)}.`, again(command));
  } catch (error) {
    if (systemFailure(error)?.code !== 'ENOENT') throw error;
    throw new UsageError(`Cannot find the program ${quote(program)}.`, again(command));
  } finally {
    clearInterval(timer);
    progress.clear();
  }
}

function again(command: string): string {
  return `The project is written. When the cause is gone, run in its folder: ${command}`;
}
