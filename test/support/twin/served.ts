import { createServer } from 'node:http';

import type { HttpOptions, NodeHandler, TaskServer } from '../../../runtime/server/index.js';
import { closeServer, listen } from '../../../runtime/server/listen.js';
import { createNodeParts } from '../../../runtime/server/node-handler.js';
import { type Side, sideAt } from './exchange.js';

/** A server behind Node's HTTP, with its door open or shut. */
export interface Served extends Pick<NodeHandler, 'notify'> {
  readonly side: Side;
  /** Ends sessions and streams. The address still answers. */
  readonly close: () => Promise<void>;
  readonly stop: () => Promise<void>;
}

export async function served(
  server: TaskServer,
  options: HttpOptions,
  withDoor: boolean,
): Promise<Served> {
  const { handler } = createNodeParts(server, options, withDoor);
  const http = createServer((request, response) => void handler.handle(request, response));
  const origin = await listen(http, { port: 0, host: '127.0.0.1' });
  return {
    side: sideAt(origin),
    notify: handler.notify,
    close: () => handler.close(),
    stop: () => closeServer(http, () => handler.close()),
  };
}
