import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface ListenOptions {
  /** 0 for any free one. */
  readonly port: number;
  readonly host: string;
}

/** The error of a server that cannot listen at its address. Its message says why, and what to do. */
export class ListenError extends Error {
  override readonly name = 'ListenError';
}

const REASONS: Readonly<Record<string, string>> = {
  EADDRINUSE: 'the port is in use. Stop the program that uses it, or choose another port.',
  EACCES:
    'this process may not use the port. Choose one above 1023, or give the process the permission.',
  EADDRNOTAVAIL:
    'this machine does not have that address. Choose 127.0.0.1 for this machine only, or 0.0.0.0.',
  EAFNOSUPPORT: 'this machine does not support that kind of address. Choose an address of IPv4.',
  ENOTFOUND: 'the host name is unknown. Choose 127.0.0.1 for this machine only, or 0.0.0.0.',
  EAI_AGAIN:
    'the host name cannot be looked up. Choose 127.0.0.1 for this machine only, or 0.0.0.0.',
};

function listenError(error: Error, { port, host }: ListenOptions): ListenError {
  const { code = '' } = error as { code?: string };
  const reason = REASONS[code] ?? error.message;
  const address = `${host.includes(':') ? `[${host}]` : host}:${port}`;
  return new ListenError(`Cannot listen at ${address}: ${reason}`, { cause: error });
}

/** The server's origin, as in `http://127.0.0.1:3000`. Rejects with a ListenError when the port is in use. */
export function listen(http: Server, options: ListenOptions): Promise<string> {
  return new Promise((resolve, reject) => {
    const fail = (error: Error): void => reject(listenError(error, options));
    http.once('error', fail);
    http.listen(options.port, options.host, () => {
      http.off('error', fail);
      const { address, family, port: taken } = http.address() as AddressInfo;
      resolve(`http://${family === 'IPv6' ? `[${address}]` : address}:${taken}`);
    });
  });
}

/** How long the last answers may take. */
const LAST_ANSWERS_MS = 1_000;

/** Milliseconds between looks for connections that have become idle. */
const SWEEP_MS = 100;

/**
 * Ends what `end` ends, and resolves when no connection is open. Accepts connections until `end` resolves, because
 * answers to questions may come on new ones. Only then closes those that are idle: before, a proxy may have sent a
 * request on one, which would get 502 instead of a refusal that says when to retry. Closes all after `drainMs`.
 */
export async function closeServer(
  http: Server,
  end?: () => Promise<void>,
  drainMs = 0,
): Promise<void> {
  const lastAnswers = performance.now() + drainMs;
  await end?.();
  const sweep = setInterval(() => http.closeIdleConnections(), SWEEP_MS);
  const closed = new Promise<void>((resolve) => http.close(() => resolve()));
  // A client that stops reading does not delay shutdown.
  const patience = Math.max(LAST_ANSWERS_MS, lastAnswers - performance.now());
  const impatience = setTimeout(() => http.closeAllConnections(), patience);
  await closed;
  clearInterval(sweep);
  clearTimeout(impatience);
}
