/** A place for files. Paths are relative, with `/`, and safe: see `isSafePath`. */
export interface Folder {
  look(path: string): Found;
  /** The text of a file; `undefined` when there is none. */
  read(path: string): string | undefined;
  /** Writes atomically, and creates missing folders. */
  write(path: string, content: string | Uint8Array): void;
  /** The paths of all files, sorted, without those below folders of these names and below symbolic links. */
  list(skipped: readonly string[]): string[];
  /** Removes a file, and the folders that it leaves empty. */
  remove(path: string): void;
}

/** What is at a path. */
export type Found =
  | { readonly kind: 'nothing' }
  | { readonly kind: 'file'; readonly sha256: string }
  /** A folder, a symbolic link or a device, which is never replaced. */
  | { readonly kind: 'obstacle'; readonly what: string };

/**
 * The folder for one plan: each file counts as it was when the plan first looked at it, so `applyPlan` notices what changed
 * between the text that a plan was made from and its step.
 */
export function asFirstSeen(folder: Folder): Folder {
  const seen = new Map<string, Found>();
  const look = (path: string): Found => {
    const found = seen.get(path) ?? folder.look(path);
    seen.set(path, found);
    return found;
  };
  return { ...folder, look, read: (path) => (look(path), folder.read(path)) };
}
