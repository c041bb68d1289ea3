import { withoutPasswords } from './text.js';

/** Where a server is, or how it is started. */
export type ServerLocation =
  { readonly url: string } | { readonly command: string; readonly args: readonly string[] };

/** How people are told which server it is. */
export function shownServer(location: ServerLocation): string {
  const shown = 'url' in location ? location.url : [location.command, ...location.args].join(' ');
  return withoutPasswords(shown);
}

/** Whether a value from a file is the location of a server, at a URL without a password. */
export function isLocation(server: unknown): server is ServerLocation {
  if (typeof server !== 'object' || server === null) return false;
  const { url, command, args } = server as Record<string, unknown>;
  if (typeof url === 'string') return isPlainUrl(url);
  return (
    typeof command === 'string' &&
    Array.isArray(args) &&
    args.every((each) => typeof each === 'string')
  );
}

function isPlainUrl(url: string): boolean {
  if (!URL.canParse(url)) return false;
  const { protocol, username, password } = new URL(url);
  return /^https?:$/.test(protocol) && username === '' && password === '';
}
