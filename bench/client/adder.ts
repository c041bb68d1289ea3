/** A server that adds, for clients: over stdio, or over HTTP with a parent process, which gets its URL. */
import * as z from 'zod';

import { createTaskServer, defineTool, serveHttp, serveStdio } from '../../runtime/server/index.js';

const server = await createTaskServer({
  name: 'adder',
  version: '1',
  tools: [
    defineTool({
      name: 'add',
      description: 'Adds two numbers.',
      input: z.object({ a: z.number(), b: z.number() }),
      run: ({ args: { a, b } }) => String(a + b),
    }),
  ],
  limits: { createsPerSecond: 1e6, readsPerSecond: 1e6, createBurst: 1e6, readBurst: 1e6 },
  onError: () => undefined,
});
if (process.send === undefined) await serveStdio(server).closed;
else {
  const { url } = await serveHttp(server, { allowUnidentified: true });
  process.send(url);
  process.on('disconnect', () => process.exit());
}
