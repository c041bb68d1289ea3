import { ConfigError } from './start-failure.js';

const LOCAL: readonly string[] = ['localhost', '127.0.0.1', '[::1]'];

/** @throws {ConfigError} for a text that is no URL. */
export function urlOf(option: string, text: string): URL {
  if (URL.canParse(text)) return new URL(text);
  throw new ConfigError(`${option} must be a URL: ${JSON.stringify(text)}`);
}

/** @throws {ConfigError} for a URL that others could read along or answer: neither HTTPS nor of this machine. */
export function secureUrlOf(option: string, text: string): URL {
  const url = urlOf(option, text);
  if (url.protocol === 'https:') return url;
  if (url.protocol === 'http:' && LOCAL.includes(url.hostname)) return url;
  throw new ConfigError(`${option} must be an https: URL, or one of this machine: ${text}`);
}
