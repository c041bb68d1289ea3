import * as z from 'zod';
import {
  createTaskServer,
  definePrompt,
  defineResource,
  defineTool,
  type TaskServer,
} from '../../runtime/server/index.js';

/** A server with tools of every kind, in both dialects. */
export async function exampleServer(): Promise<TaskServer> {
  let calls = 0;
  return createTaskServer({
    name: 'example',
    version: '1.2.3',
    instructions: 'Count first.',
    tools: [
      defineTool({
        name: 'echo',
        description: 'Repeats a text',
        input: z.object({ text: z.string() }),
        run: ({ args }) => args.text,
      }),
      defineTool({
        name: 'count',
        description: 'Counts its calls',
        input: z.object({}),
        output: z.object({ calls: z.number() }),
        run: () => ({ calls: (calls += 1) }),
      }),
      defineTool({
        name: 'fail',
        description: 'Fails',
        input: z.object({}),
        run: () => {
          throw new Error('as it should');
        },
      }),
      defineTool({
        name: 'ask',
        description: 'Asks for a name',
        retryable: true,
        input: z.object({}),
        async run({ task }) {
          task.progress({ progress: 1, total: 2, message: 'Asking' });
          const { action, content } = await task.elicit({
            message: 'Your name?',
            requestedSchema: {
              type: 'object',
              properties: { name: { type: 'string' } },
              required: ['name'],
            },
          });
          return action === 'accept' ? `Hello, ${String(content?.['name'])}` : `You said ${action}`;
        },
      }),
      defineTool({
        name: 'report',
        description: 'Runs as a task',
        taskSupport: 'optional',
        input: z.object({ topic: z.string() }),
        output: z.object({ topic: z.string(), appendix: z.boolean() }),
        async run({ args, task }) {
          task.progress({ progress: 1, total: 2, message: 'Reading' });
          const { content } = await task.elicit({
            message: 'Include the appendix?',
            requestedSchema: { type: 'object', properties: { appendix: { type: 'string' } } },
          });
          return { topic: args.topic, appendix: content?.['appendix'] === 'yes' };
        },
      }),
      defineTool({
        name: 'work',
        description: 'Runs as a task, and asks nothing',
        taskSupport: 'optional',
        input: z.object({}),
        run: ({ task }) => {
          task.progress({ progress: 1, total: 2, message: 'Working' });
          return 'worked';
        },
      }),
    ],
    prompts: [
      definePrompt({
        name: 'review',
        description: 'Reviews code',
        args: z.object({ code: z.string() }),
        get: ({ args }) => `Review ${args.code}`,
      }),
    ],
    resources: [
      defineResource({
        name: 'notes',
        uri: 'note://today',
        description: 'Notes',
        read: () => ({ text: 'Buy milk' }),
      }),
    ],
  });
}
