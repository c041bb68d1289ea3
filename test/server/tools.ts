import { setTimeout as sleep } from 'node:timers/promises';

import * as z from 'zod';

import { EXTENSION_ID } from '../../generated/ext-tasks/protocol.js';
import { defineTool, rpcError, type TaskCapabilities } from '../../runtime/server/index.js';
import type { JsonObject } from '../../runtime/tasks/index.js';

const asking = { elicitation: { form: {}, url: {} }, sampling: { tools: {} }, roots: {} };
/** Declarations of one dialect each, in which the tools below may ask for everything. */
export const CORE_ONLY: TaskCapabilities = {
  core: { tasks: { list: {}, cancel: {}, requests: { tools: { call: {} } } } },
  asks: asking,
};
export const EXT_ONLY: TaskCapabilities = {
  ext: { extensions: { [EXTENSION_ID]: {} } },
  asks: asking,
};

const nothing = z.object({});

/** Handlers that wait here until they are let go, by the label that they were called with. */
const holds = new Map<string, { readonly release: () => void; readonly released: Promise<void> }>();

export function hold(label: string): {
  readonly release: () => void;
  readonly released: Promise<void>;
} {
  const known = holds.get(label);
  if (known !== undefined) return known;
  let release = (): void => undefined;
  const released = new Promise<void>((resolve) => (release = resolve));
  const made = { release, released };
  holds.set(label, made);
  return made;
}

export function release(label: string): void {
  hold(label).release();
}

/** Signals of the handlers that wait, by label. */
export const signals = new Map<string, AbortSignal>();
/** How often each tool has begun to run. */
export const runs = new Map<string, number>();

function ran(name: string): void {
  runs.set(name, (runs.get(name) ?? 0) + 1);
}

export const add = defineTool({
  name: 'add',
  description: 'Adds two numbers.',
  input: z.object({ a: z.number(), b: z.number() }),
  output: z.object({ sum: z.number() }),
  run: ({ args }) => ({ sum: args.a + args.b }),
});

export const held = defineTool({
  name: 'held',
  description: 'Runs until it is let go.',
  input: z.object({ label: z.string() }),
  taskSupport: 'optional',
  immediateResponse: 'It is on its way.',
  async run({ args, task }) {
    signals.set(args.label, task.signal);
    task.progress({ progress: 1, total: 2 });
    await hold(args.label).released;
    task.progress({ progress: 2, total: 2 });
    return `done ${args.label}`;
  },
});

export const taskOnly = defineTool({
  name: 'task-only',
  description: 'Runs as a task, or not at all.',
  input: nothing,
  taskSupport: 'required',
  run() {
    ran('task-only');
    return 'ran';
  },
});

export const plainOnly = defineTool({
  name: 'plain-only',
  description: 'Never runs as a task.',
  input: nothing,
  run() {
    ran('plain-only');
    return 'ran';
  },
});

export const failing = defineTool({
  name: 'failing',
  description: 'Fails as a tool.',
  input: nothing,
  taskSupport: 'optional',
  run: () => Promise.reject(new Error('It went wrong')),
});

export const broken = defineTool({
  name: 'broken',
  description: 'Fails with a JSON-RPC error.',
  input: nothing,
  taskSupport: 'optional',
  run: () => Promise.reject(rpcError(-32055, 'No such shelf', { shelf: 7 })),
});

export const untrue = defineTool({
  name: 'untrue',
  description: 'Returns what its type forbids.',
  input: z.object({ structured: z.boolean() }),
  taskSupport: 'optional',
  run: ({ args }) =>
    (args.structured ? { content: [{ type: 'text', text: 7 }] } : 12) as unknown as string,
});

export const mistyped = defineTool({
  name: 'mistyped',
  description: 'Returns structured content that its schema forbids.',
  input: nothing,
  output: z.object({ sum: z.number() }),
  taskSupport: 'optional',
  run: () => ({ sum: 'many' }) as unknown as { sum: number },
});

const nameForm: JsonObject = {
  message: 'What is your name?',
  requestedSchema: {
    type: 'object',
    properties: { name: { type: 'string' } },
    required: ['name'],
  },
};

export const asks = defineTool({
  name: 'asks',
  description: 'Asks for a name, then for a line.',
  input: nothing,
  taskSupport: 'optional',
  retryable: true,
  async run({ task }) {
    const { content } = await task.elicit(nameForm, { key: 'name' });
    const { content: line } = await task.sample(
      {
        messages: [
          { role: 'user', content: { type: 'text', text: `Greet ${String(content?.['name'])}` } },
        ],
        maxTokens: 50,
      },
      { key: 'line' },
    );
    return `${String(content?.['name'])}: ${(line as { text: string }).text}`;
  },
});

export const asksOnce = defineTool({
  name: 'asks-once',
  description: 'Asks, and must not run twice.',
  input: nothing,
  taskSupport: 'optional',
  async run({ task }) {
    const { action, content } = await task.elicit(nameForm);
    return `${action} ${String(content?.['name'])}`;
  },
});

export const asksFirst = defineTool({
  name: 'asks-first',
  description: 'Asks before it becomes a task.',
  input: z.object({ name: z.string().optional() }),
  taskSupport: 'required',
  async prepare({ args, task }) {
    if (args.name !== undefined) return args;
    const { content } = await task.elicit(nameForm, { key: 'name' });
    return { name: String(content?.['name']) };
  },
  run: ({ args }) => `for ${args.name}`,
});

export const wait = defineTool({
  name: 'wait',
  description: 'Takes some milliseconds.',
  input: z.object({ ms: z.number() }),
  taskSupport: 'optional',
  retryable: true,
  async run({ args, task }) {
    await sleep(args.ms, undefined, { signal: task.signal });
    return `waited ${args.ms} ms`;
  },
});

export const testTools = [
  add,
  held,
  taskOnly,
  plainOnly,
  failing,
  broken,
  untrue,
  mistyped,
  asks,
  asksOnce,
  asksFirst,
  wait,
];
