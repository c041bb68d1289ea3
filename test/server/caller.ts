import * as z from 'zod';

import { createHttpHandler, createTaskServer, defineTool } from '../../runtime/server/index.js';
import type { TaskExecutor, TaskStore } from '../../runtime/tasks/index.js';
import { authorization } from './support.js';

/** Who the token of `ann` names. */
export const ANN = {
  issuer: 'https://issuer.example',
  subject: 'ann',
  client: 'app',
  scopes: ['mcp'],
};

/** A tool that waits for ever in the first server, and says who called it in the second. */
export const starting = (waits: boolean, started: () => void = () => undefined) =>
  defineTool({
    name: 'starting',
    description: 'Starts again after a restart.',
    input: z.object({}),
    taskSupport: 'required',
    retryable: true,
    async run({ caller }) {
      started();
      if (waits) await new Promise(() => undefined);
      return JSON.stringify(caller);
    },
  });

/** A server with this tool, which knows its callers by their tokens. */
export async function serverOn(
  store: TaskStore,
  tool: ReturnType<typeof starting>,
  executor?: TaskExecutor,
) {
  const server = await createTaskServer({
    name: 'test',
    version: '1.0.0',
    tools: [tool],
    store,
    ...(executor && { executor }),
    onError: () => undefined,
  });
  const http = createHttpHandler(server, { auth: authorization });
  return {
    http,
    async close() {
      await http.close();
      await server.close(0);
    },
  };
}
