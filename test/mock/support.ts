import { appendFileSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import * as z from 'zod';
import {
  createTaskServer,
  definePrompt,
  defineResource,
  defineTool,
  type TaskServer,
} from '../../runtime/server/index.js';

/** A folder that is removed after the test. */
export function temporaryFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'mcp-codegen-mock-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

/** What transports of all clients have in common. */
export interface AnyTransport {
  send(message: never, options?: never): Promise<void>;
  onmessage?: ((message: never, extra?: never) => void) | undefined;
}

/** Writes each message of a client's transport to a file, as `mcp-codegen record` does. */
export function recordTo<T extends AnyTransport>(file: string, transport: T, session = 1): T {
  const write = (direction: string, message: unknown): void => {
    const record = { time: new Date().toISOString(), direction, session, message };
    appendFileSync(file, `${JSON.stringify(record)}\n`);
  };
  const send = transport.send.bind(transport);
  transport.send = (message, options) => {
    write('client->server', message);
    return send(message, options);
  };
  let receive: AnyTransport['onmessage'];
  Object.defineProperty(transport, 'onmessage', {
    configurable: true,
    get: () => receive && take,
    set: (listener: AnyTransport['onmessage']) => (receive = listener),
  });
  function take(message: never, extra: never): void {
    write('server->client', message);
    receive?.(message, extra);
  }
  return transport;
}

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
            requestedSchema: { type: 'object', properties: { appendix: { type: 'boolean' } } },
          });
          return { topic: args.topic, appendix: content?.['appendix'] === true };
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
