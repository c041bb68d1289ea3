import type { Folder } from './folder.js';
import { sha256 } from './manifest.js';

/** A folder in memory: what `files` holds, by path. */
export function memoryFolder(files: Map<string, string> = new Map()): Folder {
  return {
    look(path) {
      const text = files.get(path);
      return text === undefined ? { kind: 'nothing' } : { kind: 'file', sha256: sha256(text) };
    },
    read: (path) => files.get(path),
    write: (path, text) => void files.set(path, text),
    remove: (path) => void files.delete(path),
  };
}
