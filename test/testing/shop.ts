import * as z from 'zod';
import { defineServer, defineTool, type ServerDefinition } from '../../runtime/server/index.js';

/** A server with a tool of each kind. */

const count = defineTool({
  name: 'count',
  description: 'Counts words.',
  input: z.object({ text: z.string() }),
  output: z.object({ words: z.number() }),
  taskSupport: 'optional',
  run: ({ args }) => ({ words: args.text.split(/\s+/).length }),
});

const greet = defineTool({
  name: 'greet',
  description: 'Greets the caller.',
  input: z.object({}),
  run: ({ caller }) => `Hello ${caller?.subject ?? 'you'}`,
});

const bake = defineTool({
  name: 'bake',
  description: 'Bakes bread.',
  input: z.object({}),
  output: z.object({ loaves: z.number() }),
  taskSupport: 'required',
  run({ task }) {
    task.progress({ progress: 1, total: 2, message: 'kneading' });
    return { loaves: 2 };
  },
});

const book = defineTool({
  name: 'book',
  description: 'Books a room.',
  input: z.object({}),
  taskSupport: 'optional',
  asks: ['elicitation.form'],
  async run({ task }) {
    const { action, content } = await task.elicit({
      message: 'Which room?',
      requestedSchema: {
        type: 'object',
        properties: { room: { type: 'string' } },
        required: ['room'],
      },
    });
    return action === 'accept' ? `Booked ${String(content?.['room'])}` : 'Booked nothing';
  },
});

const fail = defineTool({
  name: 'fail',
  description: 'Fails.',
  input: z.object({}),
  taskSupport: 'optional',
  run() {
    throw new Error('There is no order 7');
  },
});

const hang = defineTool({
  name: 'hang',
  description: 'Does not end, and ignores its signal.',
  input: z.object({}),
  taskSupport: 'optional',
  run: () => new Promise<string>(() => undefined),
});

export const SHOP: ServerDefinition = defineServer({
  name: 'shop',
  version: '1.0.0',
  tools: [count, greet, bake, book, fail, hang],
});
