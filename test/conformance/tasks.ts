import { setTimeout as sleep } from 'node:timers/promises';

import * as z from 'zod';

import { defineTool, rpcError } from '../../runtime/server/index.js';
import type { TaskControls } from '../../runtime/tasks/index.js';

/** The tools for the suite's tests of tasks, with the suite's names and behaviour. */

const nothing = z.object({});

const greet = defineTool({
  name: 'greet',
  description: 'Greets a person.',
  input: z.object({ name: z.string() }),
  run: ({ args }) => `Hello, ${args.name}!`,
});

const slowCompute = defineTool({
  name: 'slow_compute',
  description: 'Takes its time.',
  input: z.object({ seconds: z.number().min(0).default(1), label: z.string().default('') }),
  taskSupport: 'optional',
  async run({ args, task }) {
    await sleep(args.seconds * 1000, undefined, { signal: task.signal });
    return `Computed ${args.label} for ${args.seconds} s`;
  },
});

const failingJob = defineTool({
  name: 'failing_job',
  description: 'Fails, as tools do.',
  input: nothing,
  taskSupport: 'required',
  async run() {
    await sleep(1_000);
    throw new Error('The job has failed');
  },
});

const protocolErrorJob = defineTool({
  name: 'protocol_error_job',
  description: 'Ends in a JSON-RPC error.',
  input: nothing,
  taskSupport: 'optional',
  run: () => Promise.reject(rpcError(-32603, 'The job broke the protocol')),
});

const confirmDelete = defineTool({
  name: 'confirm_delete',
  description: 'Asks before it would delete.',
  input: z.object({ filename: z.string() }),
  taskSupport: 'optional',
  async run({ args, task }) {
    const { action } = await task.elicit({
      message: `Delete ${args.filename}?`,
      requestedSchema: { type: 'object', properties: { confirm: { type: 'boolean' } } },
    });
    return action === 'accept' ? `Deleted ${args.filename}` : `Kept ${args.filename}`;
  },
});

const multiInput = defineTool({
  name: 'multi_input',
  description: 'Asks two things at once.',
  input: nothing,
  taskSupport: 'optional',
  async run({ task }) {
    const answers = await Promise.all([askName(task, 'first'), askName(task, 'second')]);
    return answers.join(' and ');
  },
});

const withTask = defineTool({
  name: 'test_tool_with_task',
  description: 'Asks for a name, then works with it.',
  input: z.object({ name: z.string().optional() }),
  taskSupport: 'required',
  prepare: async ({ args, task }) => ({ name: args.name ?? (await askName(task, 'user_name')) }),
  run: ({ args }) => `Worked for ${args.name}`,
});

async function askName(task: TaskControls, key: string): Promise<string> {
  const { content } = await task.elicit(
    {
      message: 'What is your name?',
      requestedSchema: {
        type: 'object',
        properties: { name: { type: 'string' } },
        required: ['name'],
      },
    },
    { key },
  );
  return String(content?.['name']);
}

export const taskTools = [
  greet,
  slowCompute,
  failingJob,
  protocolErrorJob,
  confirmDelete,
  multiInput,
  withTask,
];
