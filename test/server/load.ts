import { type OutgoingHttpHeaders, request as httpRequest } from 'node:http';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

import type { Reachable } from './support.js';

export const MIB = 2 ** 20;

setFlagsFromString('--expose_gc');
export const collect = runInNewContext('gc') as () => void;

/** Bytes in use once all rubbish is gone. */
export async function heap(): Promise<number> {
  for (let round = 0; round < 4; round += 1) {
    await new Promise((resolve) => setTimeout(resolve, 50));
    collect();
  }
  return process.memoryUsage().heapUsed;
}

/** Bytes by which the heap grows with another round of the same, once it has been done before. */
export async function growth(round: () => Promise<void>): Promise<number> {
  await round();
  await round();
  const before = await heap();
  await round();
  return (await heap()) - before;
}

/** Sends a request and takes no answer. Returns what drops the connection, once it has been sent. */
export function stalled(
  url: string,
  headers: OutgoingHttpHeaders,
  method: string,
  body = '',
): Promise<() => void> {
  return new Promise((resolve, reject) => {
    const request = httpRequest(url, { method, headers, agent: false }, (response) => {
      response.pause();
    });
    request.on('error', reject);
    request.on('finish', () => resolve(() => request.destroy()));
    request.end(body);
  });
}

/**
 * With `uses` once, each request has a connection of its own: a busy machine notices too late that a server has closed one
 * that waits to be used again.
 */
export function networkTo(url: string, uses: 'once' | 'often' = 'often'): Reachable {
  return {
    http: {
      async fetch({ method, headers, body }, signal) {
        if (uses === 'once') headers.set('connection', 'close');
        const init = { method, headers, ...(signal && { signal }) };
        const text = body === null ? undefined : await new Response(body).text();
        return fetch(url, text === undefined ? init : { ...init, body: text });
      },
    },
  };
}
