/** A place for files. Paths are relative, with `/`, and safe: see `isSafePath`. */
export interface Folder {
  look(path: string): Found;
  /** The text of a file; `undefined` when there is none. */
  read(path: string): string | undefined;
  /** All at once or not at all; makes the folders on the way. */
  write(path: string, text: string): void;
  /** Removes a file, and the folders that it leaves empty. */
  remove(path: string): void;
}

/** What is at a path. */
export type Found =
  | { readonly kind: 'nothing' }
  | { readonly kind: 'file'; readonly sha256: string }
  /** A folder, a symbolic link, a device: not ours, and never replaced. */
  | { readonly kind: 'obstacle'; readonly what: string };
