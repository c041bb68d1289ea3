import { basename, dirname, relative, resolve } from 'node:path';
import type { Diagnostic } from '../generator/diagnostics/index.js';
import { DiagnosticError, many } from '../generator/diagnostics/index.js';
import { quote } from '../json-schema/text.js';
import { DEFAULT_LIMITS } from '../generator/read/load/limits.js';
import { readIfPresent } from '../generator/read/load/source.js';
import type { Change, Lock, Verdict } from '../contracts/lock/index.js';
import { diskFolder } from '../generator/write/index.js';
import { reportOf } from './calling.js';
import type { Asking } from './client/index.js';
import type { CallingArguments } from './calling.js';
import type { ConfiguredLock } from './config-file.js';
import { CommandFailure, EXIT } from './exit.js';
import type { Io } from './io.js';

/** A lock file, and where the promises come from that it is compared with. */
export interface Locking {
  /** An absolute path. */
  readonly file: string;
  readonly from:
    /** Another lock file, as an absolute path. */
    | { readonly lock: string }
    /** A server, and the folder in which its command starts. */
    | { readonly server: CallingArguments; readonly folder: string };
}

/** A lock of the configuration, with the options of the command line. */
export function lockingOf(
  { file, server, folder }: ConfiguredLock,
  args: CallingArguments,
): Locking {
  const own = typeof server === 'string' ? { server } : { command: server };
  return { file, from: { server: { ...args, ...own }, folder } };
}

/** What `--fail-on` names: the verdicts that end with exit code 4. */
export const FAIL_ON = ['breaking', 'text', 'any'] as const;
export type FailOn = (typeof FAIL_ON)[number];

const FAILING: Readonly<Record<FailOn, readonly Verdict[]>> = {
  breaking: ['breaking', 'unclear'],
  text: ['breaking', 'unclear', 'text'],
  any: ['breaking', 'unclear', 'text', 'compatible'],
};

export function fails(changes: readonly Change[], failOn: FailOn): boolean {
  return changes.some(({ verdict }) => FAILING[failOn].includes(verdict));
}

/** How the command line says that servers are asked. */
export type Asked = Omit<Asking, 'before'>;

/** A lock that was compared. */
export interface ComparedLock {
  /** Relative to the working directory. */
  readonly file: string;
  /** The text of the lock file, and what it promises. */
  readonly text: string;
  readonly before: Lock;
  readonly after: Lock;
  readonly changes: readonly Change[];
}

/**
 * Compares a lock file with a server or with another one. The file is read first, so that a mistake in it costs no
 * connection. The server is asked as the lock was, apart from `asking`.
 *
 * @throws {DiagnosticError} `not-found` or `bad-lock`.
 * @throws {CommandFailure} when the server cannot be asked.
 */
export async function compareLock(
  { file, from }: Locking,
  io: Io,
  asking: Asked = {},
): Promise<ComparedLock> {
  const { compareLocks, parseLock } = await import('../contracts/lock/index.js');
  const shown = shownPath(file, io);
  const { text } = readLockFile(shown, io);
  const before = parseLock(text, shown);
  const after = await promisesOf(from, io, {
    ...asking,
    revision: asking.revision ?? before.revision,
    before,
  });
  return {
    file: shown,
    text,
    before,
    after,
    changes: compareLocks(before, after, 'server' in from),
  };
}

export interface ComparedLocks {
  readonly compared: readonly ComparedLock[];
  /** The servers that could not be asked, which hide no others. */
  readonly diagnostics: readonly Diagnostic[];
}

/** Compares locks with their servers. */
export async function compareAll(
  lockings: readonly Locking[],
  io: Io,
  { help, ...asking }: Asked & { readonly help?: string } = {},
): Promise<ComparedLocks> {
  const compared: ComparedLock[] = [];
  const diagnostics: Diagnostic[] = [];
  for (const locking of lockings) {
    try {
      compared.push(await compareLock(locking, io, asking));
    } catch (error) {
      if (!(error instanceof CommandFailure)) throw error;
      const why = error.help ?? help;
      diagnostics.push({
        code: 'unreachable-server',
        severity: 'error',
        message: error.message,
        source: shownPath(locking.file, io),
        ...(why !== undefined && { help: why }),
      });
    }
  }
  return { compared, diagnostics };
}

/** The promises as a lock. */
export async function promisesOf(from: Locking['from'], io: Io, asking: Asking): Promise<Lock> {
  if ('lock' in from) {
    const { parseLock } = await import('../contracts/lock/index.js');
    const shown = shownPath(from.lock, io);
    return parseLock(readLockFile(shown, io).text, shown);
  }
  const own = { ...io, cwd: from.folder };
  const { data } = await reportOf(from.server, own, (session, client) =>
    client.readLock(session, asking),
  );
  return data as Lock;
}

function readLockFile(shown: string, { cwd }: Io): { readonly text: string } {
  const source = readIfPresent(resolve(cwd, shown), DEFAULT_LIMITS);
  if (source !== undefined) return source;
  throw new DiagnosticError([
    {
      code: 'not-found',
      severity: 'error',
      message: `There is no lock ${quote(shown)}.`,
      source: shown,
      help: 'Write it with mcp-codegen lock, or name another file with --out.',
    },
  ]);
}

/** The lock that a new one replaces, if there is one. @throws {CommandFailure} for a file that is no lock. */
export async function replacedLock(file: string, io: Io): Promise<Lock | undefined> {
  const source = readIfPresent(file, DEFAULT_LIMITS);
  if (source === undefined) return undefined;
  const { parseLock } = await import('../contracts/lock/index.js');
  try {
    return parseLock(source.text, shownPath(file, io));
  } catch (error) {
    if (!(error instanceof DiagnosticError)) throw error;
    const [{ message }] = error.diagnostics as [Diagnostic];
    throw new CommandFailure(
      `${quote(shownPath(file, io))} is not a lock that this program can replace: ${message} Nothing was written.`,
      EXIT.conflict,
      'Delete the file, or name another one with --out.',
      { reason: 'conflict' },
      { cause: error },
    );
  }
}

/** Writes the lock beside its place and renames it, so that no reader sees a part of it. */
export async function writeLock(file: string, lock: Lock): Promise<void> {
  const { printLock } = await import('../contracts/lock/index.js');
  diskFolder(dirname(file)).write(basename(file), printLock(lock));
}

export function shownPath(file: string, { cwd }: Pick<Io, 'cwd'>): string {
  return relative(cwd, resolve(cwd, file)) || '.';
}

/** `25 tools, 2 prompts`: how much a lock promises. */
export function sayPromises({ tools, prompts, resources, resourceTemplates }: Lock): string {
  const counts: readonly (readonly [number, string])[] = [
    [tools.length, 'tool'],
    [prompts.length, 'prompt'],
    [resources.length, 'resource'],
    [resourceTemplates.length, 'resource template'],
  ];
  const said = counts.filter(([count]) => count > 0).map(([count, word]) => many(count, word));
  return said.join(', ') || 'no tools, prompts or resources';
}
