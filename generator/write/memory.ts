import type { Folder } from './folder.js';
import { sha256 } from './manifest.js';

/**
 * A folder in memory. `files` contains the texts by path; files that are written as bytes are kept beside
 * them.
 */
export function memoryFolder(files: Map<string, string> = new Map()): Folder {
  const binary = new Map<string, Uint8Array>();
  return {
    look(path) {
      const content = files.get(path) ?? binary.get(path);
      return content === undefined
        ? { kind: 'nothing' }
        : { kind: 'file', sha256: sha256(content) };
    },
    read: (path) => files.get(path),
    write(path, content) {
      if (typeof content === 'string') files.set(path, content);
      else binary.set(path, content);
    },
    list: (skipped) =>
      [...files.keys(), ...binary.keys()]
        .filter(
          (path) =>
            !path
              .split('/')
              .slice(0, -1)
              .some((name) => skipped.includes(name)),
        )
        .sort(),
    remove(path) {
      files.delete(path);
      binary.delete(path);
    },
  };
}
