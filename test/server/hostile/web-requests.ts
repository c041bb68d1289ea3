import type { HostileRequest } from './request.js';

/** Methods that a `Request` refuses, or cannot have a body with. */
const UNFIT_METHODS = /^(?:TRACE|CONNECT|TRACK)$/i;

/** Whether a host can make a web request of it. Hosts refuse others themselves. */
export function fitsWeb({ method, target, headers }: HostileRequest): boolean {
  if (UNFIT_METHODS.test(method)) return false;
  if (target.includes('\\')) return false;
  const isAbsolute = /^https?:/.test(target);
  if (!isAbsolute && !target.startsWith('/')) return false;
  // A host joins headers that repeat.
  const names = headers.map(([name]) => name.toLowerCase());
  if (new Set(names).size < names.length) return false;
  const host = headers.find(([name]) => name.toLowerCase() === 'host')?.[1].trim() ?? '';
  // The authority of an absolute target hides the header, which Node's adapter compares with it.
  const authority = isAbsolute ? /^https?:\/\/([^/?#]*)/.exec(target)?.[1] : host;
  if (authority?.toLowerCase() !== host.toLowerCase()) return false;
  try {
    const { hostname } = new URL(isAbsolute ? target : `http://${host}${target}`);
    return hostname === host.replace(/:\d+$/, '').toLowerCase();
  } catch {
    return false;
  }
}
