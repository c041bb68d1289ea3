import { accessSync, closeSync, constants, lstatSync, openSync, readSync, statSync } from 'node:fs';
import type { Stats } from 'node:fs';
import { basename, dirname, resolve } from 'node:path';
import { systemFailure } from '../generator/diagnostics/index.js';
import { quote } from '../json-schema/text.js';
import { isPageOf, REPORT } from '../pages/index.js';
import { diskFolder, isSafePath } from '../generator/write/index.js';
import { UsageError } from './exit.js';

/** The head of a page names the command that wrote it, within these bytes. */
const HEAD = 4_000;

/**
 * Checks a report's path before anything is read, so that no long check ends without its report.
 *
 * @param command As pages name it: a file may replace one of the same command.
 * @throws {UsageError} for an input, a folder, and a file that is no report.
 */
export function assertReportPath(
  written: string,
  inputs: readonly string[],
  cwd: string,
  command = REPORT,
): void {
  const path = resolve(cwd, written);
  const reason = reasonAgainst(
    written,
    path,
    inputs.map((input) => resolve(cwd, input)),
    command,
  );
  if (reason === undefined) return;
  throw new UsageError(
    `Cannot write the report to ${quote(written)}: ${reason}.`,
    'Give another file, for example --report report.html',
  );
}

function reasonAgainst(
  written: string,
  path: string,
  inputs: readonly string[],
  command: string,
): string | undefined {
  if (written === '-') return 'a report needs a file';
  if (inputs.some((input) => isSame(input, path))) return 'it is an input';
  return obstacleAt(path, command) ?? problemOf(dirname(path));
}

/** Writes a report beside its place and renames it, so that no reader sees a part of it. */
export function writeReport(written: string, text: string, cwd: string): void {
  const path = resolve(cwd, written);
  diskFolder(dirname(path)).write(basename(path), text);
}

function isSame(input: string, path: string): boolean {
  if (input === path) return true;
  const [one, other] = [input, path].map((each) => statsOf(each, statSync));
  return one !== undefined && other !== undefined && one.ino === other.ino && one.dev === other.dev;
}

/** What is at the path already, unless it is a report, which may be replaced. */
function obstacleAt(path: string, command: string): string | undefined {
  if (basename(path) !== '' && !isSafePath(basename(path))) {
    return 'not every system allows this name for a file';
  }
  const stats = statsOf(path, lstatSync);
  if (!stats) return undefined;
  if (!stats.isFile()) return whatIs(stats);
  return isReport(path, command) ? undefined : 'it exists, and is not a report';
}

/** @throws an error of the system, such as one about a name that is too long. */
function statsOf(path: string, stat: (path: string) => Stats): Stats | undefined {
  try {
    return stat(path);
  } catch (error) {
    const { code = '' } = systemFailure(error) ?? {};
    if (code === 'ENOENT' || code === 'ENOTDIR') return undefined;
    throw error;
  }
}

function whatIs(stats: Stats): string {
  if (stats.isDirectory()) return 'it is a folder';
  return stats.isSymbolicLink() ? 'it is a symbolic link' : 'it is not a file';
}

function isReport(path: string, command: string): boolean {
  const head = Buffer.alloc(HEAD);
  const file = openSync(path, 'r');
  try {
    return isPageOf(command, head.toString('utf8', 0, readSync(file, head)));
  } finally {
    closeSync(file);
  }
}

/** Why no file can be written to a folder, which need not exist. */
function problemOf(folder: string): string | undefined {
  const stats = statsOf(folder, statSync);
  if (!stats) {
    const above = dirname(folder);
    return above === folder ? `the folder ${quote(folder)} does not exist` : problemOf(above);
  }
  if (!stats.isDirectory()) return `${quote(folder)} is not a folder`;
  try {
    accessSync(folder, constants.W_OK);
    return undefined;
  } catch (error) {
    const { reason = 'it cannot be written' } = systemFailure(error) ?? {};
    return `${quote(folder)}: ${reason}`;
  }
}
