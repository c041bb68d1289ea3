import { once } from 'node:events';
import { createServer, request } from 'node:http';
import type { AddressInfo } from 'node:net';
import { ClusterError } from './error.js';
import type { Node } from './processes.js';

export interface Proxy {
  /** Where clients reach the cluster. */
  readonly url: string;
  close(): void;
}

const BAD_REQUEST = 400;
const UNAVAILABLE = 503;
const BAD_GATEWAY = 502;

/**
 * Stands for nginx: requests take turns, and those of a session go to the node that began it. `nodes` is read at each
 * request.
 *
 * @throws {ClusterError} when the port is in use.
 */
export async function startProxy(nodes: readonly Node[], port: number): Promise<Proxy> {
  let turn = 0;
  const proxy = createServer((incoming, outgoing) => {
    const web = nodes.filter(({ role }) => role === 'web');
    const [key] = String(incoming.headers['mcp-session-id']).split('.');
    const node = web.find(({ name }) => name === key) ?? web[(turn += 1) % web.length];
    if (node === undefined) return void outgoing.writeHead(UNAVAILABLE).end();
    const { method, url = '/', headers } = incoming;
    // Any other target could name another host.
    if (!url.startsWith('/')) return void outgoing.writeHead(BAD_REQUEST).end();
    const options = { method, headers: { ...headers, 'mcp-session-key': node.name } };
    const passed = request(new URL(`${new URL(node.url).origin}${url}`), options, (answer) => {
      outgoing.writeHead(answer.statusCode ?? BAD_GATEWAY, answer.headers).flushHeaders();
      answer.pipe(outgoing);
    });
    passed.on('error', () => {
      if (outgoing.headersSent) outgoing.destroy();
      else outgoing.writeHead(BAD_GATEWAY).end();
    });
    outgoing.on('close', () => passed.destroy());
    incoming.pipe(passed);
  });
  proxy.listen(port, '127.0.0.1');
  try {
    await once(proxy, 'listening');
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    const why = code === 'EADDRINUSE' ? 'the port is in use' : message;
    throw new ClusterError(
      `Cannot listen at 127.0.0.1:${port}: ${why}.`,
      'Choose another port: --port',
    );
  }
  return {
    url: `http://127.0.0.1:${(proxy.address() as AddressInfo).port}/mcp`,
    close() {
      proxy.close();
      proxy.closeAllConnections();
    },
  };
}
