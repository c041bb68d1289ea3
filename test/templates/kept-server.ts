import { setTimeout } from 'node:timers/promises';
import * as z from 'zod';
import {
  createTaskServer,
  defineTool,
  serveHttp,
  serveStdio,
  type TaskCapabilities,
} from '../../runtime/server/index.js';
import { openSqliteStore } from '../../runtime/stores/index.js';
import { CORE_ONLY, EXT_ONLY } from '../server/tools.js';

/** A server that keeps its tasks: `<core|ext> <database> <port>` over HTTP, without a port over stdio. */
const [dialect = '', file = '', port] = process.argv.slice(2);

// Without authorization, no client may list tasks.
const CORE: TaskCapabilities = {
  ...CORE_ONLY,
  core: { tasks: { cancel: {}, requests: { tools: { call: {} } } } },
};

const count = defineTool({
  name: 'count',
  description: 'Counts for a while.',
  input: z.object({ ms: z.number() }),
  output: z.object({ counted: z.number() }),
  taskSupport: 'optional',
  retryable: true,
  async run({ args, task }) {
    task.progress({ progress: 1, total: 2, message: '\u001b[31mcounting' });
    await setTimeout(args.ms, undefined, { signal: task.signal });
    return { counted: args.ms };
  },
});

const greet = defineTool({
  name: 'greet',
  description: 'Asks for a name.',
  input: z.object({}),
  taskSupport: 'optional',
  retryable: true,
  async run({ task }) {
    const { action, content } = await task.elicit({
      message: '\u001b[31mWho are you?',
      requestedSchema: {
        type: 'object',
        properties: {
          name: { type: 'string' },
          age: { type: 'integer' },
          vip: { type: 'boolean' },
          likes: { type: 'array', items: { type: 'string', enum: ['tea', 'cake'] } },
          note: { type: 'string' },
        },
        required: ['name'],
      },
    });
    return `${action} ${JSON.stringify(content)}\u001b[0m`;
  },
});

const server = await createTaskServer({
  name: 'kept',
  version: '1.0.0',
  tools: [count, greet],
  ...(dialect === 'core'
    ? { revisions: ['2025-11-25'], capabilities: CORE }
    : { revisions: ['2026-07-28'], capabilities: EXT_ONLY }),
  pollInterval: 100,
  store: openSqliteStore({ file }),
});
if (port === undefined) {
  await serveStdio(server).closed;
} else {
  const options = { allowUnidentified: true, allowUnidentifiedInput: true } as const;
  const http = await serveHttp(server, { ...options, port: Number(port) });
  console.log(http.url);
  for await (const _ of process.stdin);
  await http.close();
}
await server.close(0);
