import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { dirname, relative, sep } from 'node:path';
import { systemFailure } from '../generator/diagnostics/index.js';
import { quote } from '../json-schema/text.js';
import { diskFolder } from '../generator/write/index.js';
import type { Folder } from '../generator/write/index.js';
import { InterruptedError, UsageError } from './exit.js';
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

/** From a folder to that of the npm or Yarn workspace that it is part of: `../..`. */
export function workspaceOf(root: string): string | undefined {
  for (let above = dirname(root); ; above = dirname(above)) {
    const path = relative(above, root).replaceAll(sep, '/');
    const patterns = workspacesIn(above);
    const holds = (pattern: string): boolean => expressionOf(pattern).test(path);
    const isLeftOut = patterns.some((each) => each.startsWith('!') && holds(each.slice(1)));
    if (patterns.some(holds) && !isLeftOut) return relative(root, above).replaceAll(sep, '/');
    if (above === dirname(above)) return undefined;
  }
}

/** The patterns of the workspaces in a folder's `package.json`, as npm or Yarn 1 write them. */
function workspacesIn(folder: string): string[] {
  try {
    const text = diskFolder(folder).read('package.json') ?? '';
    const { workspaces } = JSON.parse(text) as { workspaces?: unknown };
    const patterns = Array.isArray(workspaces)
      ? (workspaces as unknown[])
      : (workspaces as { packages?: unknown }).packages;
    return Array.isArray(patterns) ? patterns.filter((each) => typeof each === 'string') : [];
  } catch {
    return []; // There is none, with workspaces, that this user may read.
  }
}

/** `packages/*` as an expression. */
function expressionOf(pattern: string): RegExp {
  const steps = pattern
    .replaceAll(/^\.\/|\/$/g, '')
    .replaceAll(/[.+?^${}()|[\]\\]/g, String.raw`\$&`)
    .replaceAll(/\*\*\/?|\*/g, (star) => (star === '*' ? '[^/]*' : '.*'));
  return new RegExp(`^${steps}$`);
}

/**
 * Runs commands such as `npm install` in a project that is written, until one fails. Their output goes to stderr,
 * and so do their names, with the seconds so far on a terminal, because package managers are silent for long.
 *
 * @throws {UsageError} when one fails, or is not there.
 * @throws {InterruptedError} after Ctrl-C, when the command has ended. Both errors name the commands that still have to run.
 */
export async function runIn(cwd: string, commands: readonly string[], io: Io): Promise<void> {
  for (const [at, command] of commands.entries()) {
    const left = commands.slice(at).join(' && ');
    const ended = await ending(cwd, command, io);
    if (ended === DONE) continue;
    if (ended !== INTERRUPTED) {
      throw new UsageError(ended, `The project is written. When the cause is gone, ${run(left)}`);
    }
    const what = `Interrupted: ${quote(command)} did not finish.`;
    throw new InterruptedError(what, `The project is written. To complete it, ${run(left)}`);
  }
}

const run = (left: string): string => `run in its folder: ${left}`;
const DONE = Symbol('done');
const INTERRUPTED = Symbol('interrupted');

/** How a command ended: a text says why it failed. */
async function ending(
  cwd: string,
  command: string,
  io: Io,
): Promise<typeof DONE | typeof INTERRUPTED | string> {
  const [program = '', ...args] = command.split(' ');
  // On Windows package managers are scripts, which need a shell. The command contains no user input.
  const shell = io.env['OS'] === 'Windows_NT';
  const child = spawn(program, args, {
    cwd,
    env: io.env,
    shell,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const interruption = interruptionOf(child, io);
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
    if (interruption.came) return INTERRUPTED;
    return code === 0 ? DONE : `${quote(command)} ended with exit code ${String(code)}.`;
  } catch (error) {
    if (systemFailure(error)?.code !== 'ENOENT') throw error;
    return `Cannot find the program ${quote(program)}.`;
  } finally {
    interruption.end();
    clearInterval(timer);
    progress.clear();
  }
}

/** Passes a first Ctrl-C on to a program, and kills it at the second. */
function interruptionOf(child: ChildProcess, io: Io): { came: boolean; readonly end: () => void } {
  const end = io.onInterrupt(() => {
    child.kill(state.came ? 'SIGKILL' : 'SIGINT');
    if (state.came) return;
    state.came = true;
    // Processes that it started may keep its streams open.
    child.once('exit', () => [child.stdout, child.stderr].forEach((stream) => stream?.destroy()));
  });
  const state = { came: false, end };
  return state;
}
