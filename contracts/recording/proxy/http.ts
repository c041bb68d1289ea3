import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { DiagnosticError } from '../../../generator/diagnostics/index.js';
import { Exchange } from './exchange.js';
import type { ExchangeOptions } from './exchange.js';
import { isLocal } from './headers.js';
import { SessionNumbers } from './sessions.js';

export interface HttpProxyOptions extends ExchangeOptions {
  /** To listen at; 0 is any free one. */
  readonly port: number;
}

export interface HttpProxy {
  /** The address for clients. */
  readonly url: string;
  close(): Promise<void>;
}

const FORBIDDEN = 403;

/**
 * Listens on this computer only, and passes requests to a server. Bodies are not changed, redirects are passed on.
 *
 * @throws {DiagnosticError} when the port is in use.
 */
export async function proxyHttp(options: HttpProxyOptions): Promise<HttpProxy> {
  const sessions = new SessionNumbers();
  const server = createServer((incoming, outgoing) => {
    if (isLocal(incoming)) {
      void new Exchange(options, sessions, incoming, outgoing).run();
      return;
    }
    const why = 'This address answers only clients on this computer (headers Host and Origin).\n';
    outgoing.writeHead(FORBIDDEN, { 'content-type': 'text/plain' }).end(why);
  });
  // A stream to the server may take as long as the client wants.
  server.requestTimeout = 0;
  server.listen(options.port, '127.0.0.1');
  try {
    await once(server, 'listening');
  } catch (error) {
    throw unusable(options.port, error as NodeJS.ErrnoException);
  }
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${String(port)}${options.target.pathname}`,
    async close() {
      const closed = once(server, 'close');
      server.close();
      server.closeAllConnections();
      await closed;
    },
  };
}

function unusable(port: number, { code, message }: NodeJS.ErrnoException): DiagnosticError {
  const why = code === 'EADDRINUSE' ? 'another program listens there' : message;
  return new DiagnosticError([
    {
      code: 'bad-config',
      severity: 'error',
      message: `Cannot listen at 127.0.0.1:${String(port)}: ${why}.`,
      help: 'Give another port with --port; 0 is any free one.',
    },
  ]);
}
