import { lstatSync, realpathSync } from 'node:fs';
import { dirname, isAbsolute, relative, resolve, sep } from 'node:path';
import { DiagnosticError } from '../generator/diagnostics/index.js';
import { quote } from '../json-schema/text.js';

/** A path that the file of a project names. */
export interface NamedPath {
  readonly path: string;
  /** The file, and its setting as a JSON pointer, for the error. */
  readonly source: string;
  readonly pointer?: string;
}

/** Whether a path is in a folder or is the folder, also after all symbolic links. */
export function isInside(folder: string, path: string): boolean {
  const place = resolve(folder, path);
  return isBelow(resolve(folder), place) && isBelow(realPlace(resolve(folder)), realPlace(place));
}

/**
 * The absolute path, which has to stay in the folder of the project: a stranger may have written its file.
 *
 * @throws {DiagnosticError} `bad-config`.
 */
export function insideProject(folder: string, { path, ...where }: NamedPath): string {
  if (isInside(folder, path)) return resolve(folder, path);
  throw new DiagnosticError([
    {
      ...where,
      code: 'bad-config',
      severity: 'error',
      message: `${quote(path)} is outside the folder of the project, or a symbolic link leads out of it.`,
      help: 'Use a path below the folder of the file, or name the other path on the command line.',
    },
  ]);
}

function isBelow(folder: string, path: string): boolean {
  const way = relative(folder, path);
  return way !== '..' && !way.startsWith(`..${sep}`) && !isAbsolute(way);
}

/** The path without symbolic links; what does not exist yet is where its folder is. */
function realPlace(path: string): string {
  const isThere = lstatSync(path, { throwIfNoEntry: false }) !== undefined;
  if (isThere || dirname(path) === path) return realLink(path);
  return resolve(realPlace(dirname(path)), relative(dirname(path), path));
}

/** A link to nothing leads to no place of the project. */
function realLink(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    return sep;
  }
}
