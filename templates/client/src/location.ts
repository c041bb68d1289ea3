/** Where a server is, or how it is started. */
export type ServerLocation =
  { readonly url: string } | { readonly command: string; readonly args: readonly string[] };
