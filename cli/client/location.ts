import { isSecretName } from '../../contracts/validate/secrets/names.js';
import { withoutPasswords } from './text.js';

/** The place of a server, or the command that starts it. */
export type ServerLocation =
  { readonly url: string } | { readonly command: string; readonly args: readonly string[] };

/** The server as users see it: without passwords, and without values that are secrets by their names. */
export function shownServer(location: ServerLocation): string {
  if ('url' in location) return withoutSecrets(location.url);
  return [location.command, ...shownArgs(location.args)].join(' ');
}

/** Arguments of a command, without secrets: the value after `--api-key`, or in `--api-key=…`. */
export function shownArgs(args: readonly string[]): string[] {
  return args.map((word, index) => {
    const before = args[index - 1] ?? '';
    if (/^-/.test(before) && !before.includes('=') && isSecretName(before) && !/^-/.test(word))
      return MASK;
    const [, name = ''] = /^(-{0,2}[\w.-]+)=/.exec(word) ?? [];
    if (name !== '' && isSecretName(name)) return `${name}=${MASK}`;
    return TOKEN.test(word) ? MASK : withoutSecrets(word);
  });
}

const MASK = '…';
/** Tokens that their issuers mark. */
const TOKEN = /^(?:sk|pk|ghp|gho|ghs|ghu|github_pat|glpat|xox[a-z]|AKIA|eyJ)[-_A-Za-z\d.]{12,}$/;

/** A text without the password and the values of the query of a URL in it. */
function withoutSecrets(text: string): string {
  return withoutPasswords(text).replace(/([?&][^?=&#\s]+)=[^&#\s]+/g, (whole, name: string) =>
    isSecretName(name.slice(1)) || /[?&](?:key|code|sig)$/i.test(name) ? `${name}=${MASK}` : whole,
  );
}

export function isSameLocation(one: ServerLocation, other: ServerLocation): boolean {
  if ('url' in one || 'url' in other) {
    return 'url' in one && 'url' in other && one.url === other.url;
  }
  return (
    JSON.stringify([one.command, ...one.args]) === JSON.stringify([other.command, ...other.args])
  );
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

/** A URL may contain variables of an `mcp.json`, which are resolved when it is used. */
function isPlainUrl(url: string): boolean {
  if (url.includes('${')) return true;
  if (!URL.canParse(url)) return false;
  const { protocol, username, password } = new URL(url);
  return /^https?:$/.test(protocol) && username === '' && password === '';
}
