import { randomBytes } from 'node:crypto';
import { createServer, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { LoginError } from './login-error.js';

/** An HTTP server on the loopback interface that waits for the browser to come back from a login. */
export interface Loopback {
  /** `http://127.0.0.1:<port>/callback` */
  readonly redirectUrl: string;
  /** The unguessable value that the authorization response must repeat. */
  readonly state: string;
  /** Resolves with the parameters of the first response with this state. */
  readonly response: Promise<URLSearchParams>;
  close(): void;
}

const PATH = '/callback';
const HOST = '127.0.0.1';
const ORIGIN = `http://${HOST}`;

/** Listens on `port`, or on any free one. Rejects when it cannot, because a registered address has an exact port. */
export async function openLoopback(port = 0): Promise<Loopback> {
  const state = randomBytes(32).toString('base64url');
  const server = createServer();
  const response = new Promise<URLSearchParams>((resolve) => {
    server.on('request', ({ method, url = '' }, answer) => {
      // Any program of this machine may send any path here: `//` is no URL.
      const target = URL.canParse(url, ORIGIN) ? new URL(url, ORIGIN) : undefined;
      if (method !== 'GET' || target?.pathname !== PATH) return respond(answer, 404, 'Not found.');
      const { searchParams } = target;
      // Any page in the browser can send requests here, so a wrong state does not end the login.
      if (searchParams.get('state') !== state) return respond(answer, 400, WRONG);
      // The server closes after this, and the page must have arrived by then.
      answer.on('finish', () => resolve(searchParams));
      respond(answer, 200, searchParams.has('error') ? REFUSED : DONE);
    });
  });
  await listen(server, port).catch((error: unknown) => {
    const { code } = error as NodeJS.ErrnoException;
    const what = port === 0 ? 'a port' : `port ${String(port)}`;
    throw new LoginError(`Cannot listen on ${what} of ${HOST} for the browser (${String(code)})`, {
      cause: error,
    });
  });
  const { port: actual } = server.address() as AddressInfo;
  return {
    redirectUrl: `http://${HOST}:${actual}${PATH}`,
    state,
    response,
    close() {
      server.close();
      server.closeAllConnections();
    },
  };
}

const DONE = 'You are logged in. You can close this window and go back to the terminal.';
const REFUSED = 'You are not logged in. You can close this window and go back to the terminal.';
const WRONG = 'This page does not belong to the login that waits.';

function listen(server: Server, port: number): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, HOST, () => {
      server.off('error', reject);
      resolve();
    });
  });
}

function respond(response: ServerResponse, status: number, text: string): void {
  response
    .writeHead(status, { 'content-type': 'text/plain; charset=utf-8', connection: 'close' })
    .end(`${text}\n`);
}
