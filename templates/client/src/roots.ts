import { basename } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { ListRootsResult } from '@mcp-codegen/runtime/2025-11-25';

/** Answers `roots/list`: the folder in which the client was started. */
export function listRoots(): ListRootsResult {
  const folder = process.cwd();
  return { roots: [{ uri: pathToFileURL(folder).href, name: basename(folder) }] };
}
