/** A running server at a URL, or the command that starts one on its standard streams. */
export type ServerLocation =
  { readonly url: URL; readonly headers: Readonly<Record<string, string>> } | ProcessLocation;

export interface ProcessLocation {
  readonly command: string;
  readonly args: readonly string[];
  readonly cwd: string;
  readonly env: Readonly<Record<string, string | undefined>>;
}
