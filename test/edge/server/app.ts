import * as z from 'zod';

import {
  createHttpHandler,
  createTaskServer,
  defineResource,
  defineTool,
  type HttpHandler,
  type ServedRevision,
  type ServerTool,
  type TaskSupport,
} from '../../../runtime/server/web.js';

/** Tools of every kind that a client can tell apart: answers, errors, progress, tasks, questions, cancellation. */
function toolsFor(taskSupport: TaskSupport): readonly ServerTool[] {
  return [
    defineTool({
      name: 'echo',
      description: 'Says what it gets',
      input: z.object({ text: z.string() }),
      run: ({ args }) => args.text,
    }),
    defineTool({
      name: 'count',
      description: 'Counts, with progress',
      input: z.object({ to: z.number() }),
      taskSupport,
      async run({ args, task }) {
        for (let progress = 1; progress <= args.to; progress += 1) {
          task.progress({ progress, total: args.to });
          await task.sleep(1);
        }
        return `Counted to ${String(args.to)}`;
      },
    }),
    defineTool({
      name: 'ask',
      description: 'Asks the user',
      input: z.object({}),
      taskSupport,
      asks: ['elicitation.form'],
      retryable: true,
      async run({ task }) {
        const { action, content } = await task.elicit({
          message: 'Your name?',
          requestedSchema: { type: 'object', properties: { name: { type: 'string' } } },
        });
        return action === 'accept' ? `Hello ${String(content?.['name'])}` : action;
      },
    }),
    defineTool({
      name: 'wait',
      description: 'Waits until it is cancelled',
      input: z.object({}),
      taskSupport,
      async run({ task }) {
        await task.sleep(600_000);
        return 'not cancelled';
      },
    }),
    defineTool({
      name: 'fail',
      description: 'Fails',
      input: z.object({}),
      run: () => Promise.reject(new Error('It failed')),
    }),
  ];
}

const readme = defineResource({
  uri: 'file:///readme',
  name: 'readme',
  read: () => ({ text: 'Read me' }),
});

/** Answers requests. The server is made by the first one: some hosts forbid timers and random numbers before. */
export function app(
  revisions: readonly ServedRevision[],
  taskSupport: TaskSupport = 'optional',
): (request: Request) => Promise<Response> {
  let handler: Promise<HttpHandler> | undefined;
  return async (request) => (await (handler ??= start(revisions, taskSupport))).fetch(request);
}

async function start(
  revisions: readonly ServedRevision[],
  taskSupport: TaskSupport,
): Promise<HttpHandler> {
  const server = await createTaskServer({
    name: 'edge',
    version: '1',
    revisions,
    tools: toolsFor(taskSupport),
    resources: [readme],
    pollInterval: 50,
    onError: (error) => console.error(error),
  });
  return createHttpHandler(server, {
    allowUnidentified: true,
    allowUnidentifiedInput: true,
    onRefused: ({ status }) => console.error(status),
  });
}
