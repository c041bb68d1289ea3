import { withoutPasswords } from './text.js';

/** Where a server is, or how it is started. */
export type ServerLocation =
  { readonly url: string } | { readonly command: string; readonly args: readonly string[] };

/** How people are told which server it is. */
export function shownServer(location: ServerLocation): string {
  const shown = 'url' in location ? location.url : [location.command, ...location.args].join(' ');
  return withoutPasswords(shown);
}
