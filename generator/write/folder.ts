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

/** A folder in a folder; what leads to it is looked at as well. */
export function subfolder(folder: Folder, path: string): Folder {
  const below = (inner: string): string => `${path}/${inner}`;
  return {
    look: (inner) => folder.look(below(inner)),
    read: (inner) => folder.read(below(inner)),
    write: (inner, content) => folder.write(below(inner), content),
    list: (skipped) =>
      folder
        .list(skipped)
        .filter((each) => each.startsWith(below('')))
        .map((each) => each.slice(below('').length)),
    remove: (inner) => folder.remove(below(inner)),
  };
}
