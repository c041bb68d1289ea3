import { basename } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { ListRootsResult } from '../../generated/2025-11-25/index.js';

/** Answers `roots/list`: the folders of `--root`, as absolute paths. */
export function listRoots(folders: readonly string[]): ListRootsResult {
  return {
    roots: folders.map((folder) => ({ uri: pathToFileURL(folder).href, name: basename(folder) })),
  };
}
