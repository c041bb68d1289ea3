import type { IncomingMessage } from 'node:http';

/** A path that is the same in every URL. */
const SIMPLE_PATH = /^(?:\/[\w-]+)+$/;
const MOST_HOSTS = 1_000;
/** Hosts that make a URL with a simple path. */
const goodHosts = new Set<string>();

/** Express takes the path under which it mounts a handler off `url`. */
export function targetOf(incoming: IncomingMessage & { readonly originalUrl?: string }): string {
  return incoming.originalUrl ?? incoming.url ?? '';
}

export function isUrl(target: string, host: string): boolean {
  if (!SIMPLE_PATH.test(target)) return URL.canParse(urlOf(target, host));
  if (goodHosts.has(host)) return true;
  if (!URL.canParse(urlOf(target, host))) return false;
  if (goodHosts.size >= MOST_HOSTS) goodHosts.clear();
  goodHosts.add(host);
  return true;
}

export function urlOf(target: string, host: string): string {
  if (/^https?:\/\//i.test(target)) return target;
  return target.startsWith('/') ? `http://${host || 'localhost'}${target}` : 'invalid';
}

export function pathOf(target: string, host: string): string {
  return SIMPLE_PATH.test(target) ? target : new URL(urlOf(target, host)).pathname;
}
