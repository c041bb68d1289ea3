import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface ListenOptions {
  /** 0 for any free one. */
  readonly port: number;
  readonly host: string;
}

/** The server's origin, as in `http://127.0.0.1:3000`. Rejects when the port is in use. */
export function listen(http: Server, { port, host }: ListenOptions): Promise<string> {
  return new Promise((resolve, reject) => {
    http.once('error', reject);
    http.listen(port, host, () => {
      http.off('error', reject);
      const { address, family, port: taken } = http.address() as AddressInfo;
      resolve(`http://${family === 'IPv6' ? `[${address}]` : address}:${taken}`);
    });
  });
}

/** How long the last answers may take. */
const LAST_ANSWERS_MS = 1_000;

/** Accepts no connections any more, ends what `end` ends, and resolves when no connection is open. */
export async function closeServer(http: Server, end?: () => Promise<void>): Promise<void> {
  const closed = new Promise<void>((resolve) => http.close(() => resolve()));
  await end?.();
  http.closeIdleConnections();
  // A client that stops reading does not delay shutdown.
  const impatience = setTimeout(() => http.closeAllConnections(), LAST_ANSWERS_MS);
  await closed;
  clearTimeout(impatience);
}
