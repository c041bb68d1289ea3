import { EXTENSION_ID } from '@mcp-codegen/runtime/ext-tasks/protocol';
import { http, introspection, runServer, sqlite } from '@mcp-codegen/runtime/program';
import { defineServer, defineTool } from '@mcp-codegen/runtime/server';
import * as z from 'zod';

const countWords = defineTool({
  name: 'count-words',
  description: 'Counts the words of a text.',
  input: z.strictObject({ text: z.string().max(100_000) }),
  output: z.object({ words: z.int() }),
  run: ({ args: { text } }) => ({ words: text.split(/\s+/).filter(Boolean).length }),
});

const server = defineServer({
  name: 'my-mcp-server',
  version: '0.1.0',
  tools: [countWords],
  capabilities: {
    core: { tasks: { list: {}, cancel: {}, requests: { tools: { call: {} } } } },
    ext: { extensions: { [EXTENSION_ID]: {} } },
    asks: { elicitation: { form: {} } },
  },
  revisions: ['2026-07-28', '2025-11-25', '2025-06-18', '2025-03-26', '2024-11-05'],
});

await runServer({
  server,
  project: new URL('..', import.meta.url),
  transport: http({ auth: introspection() }),
  store: sqlite(),
});
