import type { IncomingMessage, ServerResponse } from 'node:http';

import { askedBy, type Side } from './exchange.js';

/** Headers of a connection. Node sets its own. */
const OF_CONNECTION = /^(?:connection|keep-alive|transfer-encoding)$/i;

/** Listens to Node's HTTP server, and gives each request to `side`. A client without an answer is disconnected. */
export function proxyTo(side: Side) {
  return async (incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> => {
    const gone = new AbortController();
    outgoing.on('close', () => gone.abort());
    try {
      const { status, headers, body } = await side(await askedBy(incoming), gone.signal);
      outgoing.writeHead(status, ofMessage(headers));
      outgoing.flushHeaders();
      for await (const chunk of body) outgoing.write(chunk);
      outgoing.end();
    } catch {
      outgoing.destroy();
    }
  };
}

function ofMessage(headers: readonly string[]): string[] {
  return headers.filter((_, at) => !OF_CONNECTION.test(headers[at - (at % 2)] ?? ''));
}
