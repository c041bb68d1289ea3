/** Says everything that is wrong with the settings of a program, a line each. */
export class ConfigError extends Error {
  override readonly name = 'ConfigError';
}

/** The names of this machine, as they stand in URLs. */
export const LOCAL_HOSTS: readonly string[] = ['localhost', '127.0.0.1', '[::1]'];

/** @throws {ConfigError} for a text that is no URL. */
export function urlOf(option: string, text: string): URL {
  if (URL.canParse(text)) return new URL(text);
  throw new ConfigError(`${option} must be a URL: ${JSON.stringify(text)}`);
}

/** @throws {ConfigError} for a URL that others could read along or answer: neither HTTPS nor of this machine. */
function secureUrlOf(option: string, text: string): URL {
  const url = urlOf(option, text);
  if (url.protocol === 'https:') return url;
  if (url.protocol === 'http:' && LOCAL_HOSTS.includes(url.hostname)) return url;
  throw new ConfigError(`${option} must be an https: URL, or one of this machine: ${text}`);
}

/** An issuer: a secure URL without query and fragment (RFC 8414, section 2). @throws {ConfigError} for others. */
export function assertIssuer(text: string): void {
  const { hash, search } = secureUrlOf('issuer', text);
  if (hash === '' && search === '') return;
  const part = hash === '' ? 'query string' : 'fragment';
  throw new ConfigError(
    `resource or issuer: the URL of an issuer must not have a ${part}: ${text}`,
  );
}
