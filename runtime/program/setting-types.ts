import * as z from 'zod';

/** A text that is not empty. */
export const text = () => z.string().min(1, 'must not be empty');

/** A setting that is several texts, separated by commas: `ALLOWED_HOSTS=a.example,b.example`. */
export function list() {
  return z
    .string()
    .transform((given) => given.split(',').map((entry) => entry.trim()))
    .pipe(z.array(z.string().min(1, 'has an empty entry')));
}

/** The names of this machine that a URL without TLS may have. */
const LOCAL = ['localhost', '127.0.0.1'];

function isSecure(url: string): boolean {
  const { protocol, hostname } = new URL(url);
  return protocol === 'https:' || (protocol === 'http:' && LOCAL.includes(hostname));
}

/** Tokens and keys go there, so other machines have to be reached by HTTPS. */
export function secureUrl() {
  return z
    .url({ abort: true })
    .refine(isSecure, 'must be an https: URL, or an http: URL of localhost or 127.0.0.1');
}
