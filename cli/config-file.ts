import { dirname, relative } from 'node:path';
import { parseConfig } from './config/index.js';
import type { Config, LockEntry } from './config/index.js';
import { jsonPointer } from '../json-schema/pointer.js';
import { quote } from '../json-schema/text.js';
import { DEFAULT_LIMITS } from '../generator/read/load/limits.js';
import { readIfPresent } from '../generator/read/load/source.js';
import { UsageError } from './exit.js';
import { insideProject } from './inside.js';

/**
 * Reads the configuration; undefined when there is none.
 *
 * @param written The path as the user wrote it, if so.
 * @throws {UsageError} when that file is missing.
 * @throws {DiagnosticError} `bad-config`.
 */
export function readConfigFile(
  path: string,
  written: string | undefined,
  cwd: string,
): Config | undefined {
  // A link in the folder of a stranger may lead to a private file, which errors would quote.
  if (written === undefined) insideProject(dirname(path), { path, source: relative(cwd, path) });
  const source = readIfPresent(path, DEFAULT_LIMITS);
  if (!source && written !== undefined) {
    throw new UsageError(
      `Cannot find the configuration file ${quote(written)}.`,
      'Give --config an existing file, or remove --config.',
    );
  }
  return source && parseConfig(source.text, relative(cwd, path));
}

/** A lock of the configuration. */
export interface ConfiguredLock {
  /** An absolute path. */
  readonly file: string;
  readonly server: LockEntry['server'];
  /** The folder of the configuration, in which a command starts its server. */
  readonly folder: string;
}

/** @throws {DiagnosticError} `bad-config` for a file outside the folder of the configuration, which is `source`. */
export function configuredLocks(
  { locks = [] }: Config,
  { folder, source }: { readonly folder: string; readonly source: string },
): ConfiguredLock[] {
  return locks.map(({ file: path, server }, at) => {
    const pointer = jsonPointer(['locks', at, 'file']);
    return { file: insideProject(folder, { path, source, pointer }), server, folder };
  });
}
