import { PassThrough } from 'node:stream';

import type { JSONRPCMessage, Transport } from '@modelcontextprotocol/server';
import { onTestFinished } from 'vitest';

import { serveStdio, type StdioHandle, type TaskServer } from '../../runtime/server/index.js';

/** A client's transport to a server that serves it over two pipes in this process. */
export interface PipedTransport extends Transport {
  readonly handle: StdioHandle;
}

export function pipedTo(server: TaskServer): PipedTransport {
  const transport = transportTo(server);
  onTestFinished(() => transport.handle.close());
  return transport;
}

/** The same outside of tests. */
export function transportTo(server: TaskServer): PipedTransport {
  const [source, target] = [new PassThrough(), new PassThrough()];
  const handle = serveStdio(server, { source, target });
  let rest = '';
  let isClosed = false;
  function close(): void {
    if (isClosed) return;
    isClosed = true;
    source.end();
    transport.onclose?.();
  }
  const transport: PipedTransport = {
    handle,
    start() {
      target.setEncoding('utf8').on('data', (chunk: string) => {
        const lines = (rest + chunk).split('\n');
        rest = lines.pop() ?? '';
        for (const line of lines) transport.onmessage?.(JSON.parse(line) as JSONRPCMessage);
      });
      void handle.closed.then(close);
      return Promise.resolve();
    },
    send(message) {
      source.write(`${JSON.stringify(message)}\n`);
      return Promise.resolve();
    },
    close() {
      close();
      return Promise.resolve();
    },
  };
  return transport;
}
