import type { PartModule } from './tool-text.js';

/** The source of a prompt that the user then changes. */
export function promptText(name: string, local: string): string {
  return `import { definePrompt } from '@mcp-codegen/runtime/server';
import * as z from 'zod';

export const ${local} = definePrompt({
  name: '${name}',
  description: 'Asks for a summary of a text.',
  args: z.object({ text: z.string().describe('The text') }),
  get: ({ args: { text } }) => \`Summarise this text: \${text}\`,
});
`;
}

/** Its test, which needs nothing else of the project. */
export function promptTestText(name: string, { local, file }: PartModule): string {
  return `import { defineServer } from '@mcp-codegen/runtime/server';
import { startTestServer } from '@mcp-codegen/runtime/testing';
import { expect, it, onTestFinished } from 'vitest';
import { ${local} } from '../src/prompts/${file}.js';

const server = defineServer({
  name: 'test',
  version: '1.0.0',
  tools: [],
  prompts: [${local}],
});

it('the prompt ${name} contains its argument', async () => {
  const app = await startTestServer(server);
  onTestFinished(() => app.close());
  for (const way of app.ways) {
    const { messages } = await (await app.client(way)).prompt('${name}', { text: 'Hello' });
    expect(messages, way).toMatchObject([
      { role: 'user', content: { type: 'text', text: 'Summarise this text: Hello' } },
    ]);
  }
});
`;
}
