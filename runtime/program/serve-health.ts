import { createServer } from 'node:http';

import { createHealth, LIVE, livePathOf } from '../server/health.js';
import { closeServer, listen } from '../server/listen.js';
import type { TaskServer } from '../server/server.js';
import { jsonReply, type TextReply } from '../transport/index.js';

export interface ServeHealthOptions {
  /** Default: any free port. */
  readonly port?: number;
  /** Default: this machine only, 127.0.0.1. */
  readonly host?: string;
  /** Default: `/health`. Below it, `/live` tells whether the process answers. */
  readonly healthPath?: string;
}

export interface HealthHandle {
  /** Nothing but its health is served. */
  readonly servesClients: false;
  /** Of the health page. */
  readonly url: string;
  /** The task server stays open. */
  close(): Promise<void>;
}

/**
 * Serves a health page and nothing else, for a process that runs tasks and has no clients. Resolves when
 * it accepts requests. Rejects when the port is in use.
 */
export async function serveHealth(
  server: TaskServer,
  options: ServeHealthOptions = {},
): Promise<HealthHandle> {
  const { port = 0, host = '127.0.0.1', healthPath = '/health' } = options;
  const health = createHealth({
    parts: { store: () => server.probe() },
    onFault: server.onError,
  });

  async function answer(path: string): Promise<TextReply> {
    if (path === healthPath) return health.answer(false);
    if (path === livePathOf(healthPath)) return jsonReply(LIVE);
    return jsonReply({ error: 'Not found' }, 404);
  }

  const http = createServer((request, response) => {
    const [path = ''] = (request.url ?? '').split('?');
    void answer(path).then(({ status, headers, body }) => {
      response.writeHead(status, headers).end(body);
    });
  });
  return {
    servesClients: false,
    url: `${await listen(http, { port, host })}${healthPath}`,
    close: () => closeServer(http),
  };
}
