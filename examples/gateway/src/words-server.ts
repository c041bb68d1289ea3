import { createTaskServer, defineTool, serveStdio } from '@mcp-codegen/runtime/server';
import * as z from 'zod';

/** A server to try the gateway with. */
const countWords = defineTool({
  name: 'count-words',
  description: 'Counts the words of a text.',
  input: z.object({ text: z.string() }),
  output: z.object({ words: z.number() }),
  run: ({ args: { text } }) => ({ words: text.split(/\s+/).filter(Boolean).length }),
});

const server = await createTaskServer({ name: 'words', version: '1.0.0', tools: [countWords] });
await serveStdio(server).closed;
await server.close();
