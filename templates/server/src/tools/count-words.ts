import * as z from 'zod';
import { defineTool } from '@mcp-codegen/runtime/server';

/** A quick tool: it answers at once, and never runs as a task. */
export const countWords = defineTool({
  name: 'count-words',
  description: 'Counts the words and the characters of a text.',
  input: z.strictObject({ text: z.string().max(100_000) }),
  output: z.object({ words: z.int(), characters: z.int() }),
  annotations: { readOnlyHint: true },
  run: ({ args: { text } }) => ({
    words: text.split(/\s+/).filter((word) => word !== '').length,
    characters: [...text].length,
  }),
});
