import { DIALECT_REVISIONS } from '../ir/revisions/index.js';

/** What a new tool shows. */
export interface ToolTraits {
  /** It may run as a task. */
  readonly task: boolean;
  /** It asks the user. */
  readonly ask: boolean;
  /** It reports progress. */
  readonly progress: boolean;
}

/** The source of a tool that the user then changes. */
export function toolText(name: string, local: string, traits: ToolTraits): string {
  const { task, ask } = traits;
  const taskSupport = task ? `\n  taskSupport: 'optional',` : '';
  return `import * as z from 'zod';
import { defineTool } from '@mcp-codegen/runtime/server';

export const ${local} = defineTool({
  name: '${name}',
  description: '${ask ? 'Asks the user for a text and returns it.' : 'Returns the text that it gets.'}',
  input: z.strictObject({${ask ? '' : ' text: z.string() '}}),
  output: z.object({ text: z.string() }),${taskSupport}${runText(traits)}
});
`;
}

function runText({ ask, progress }: ToolTraits): string {
  if (ask) return askingRun(progress);
  return progress
    ? `
  run({ args: { text }, task }) {${PROGRESS}
    return { text };
  },`
    : `
  run: ({ args: { text } }) => ({ text }),`;
}

const PROGRESS = `
    task.progress({ progress: 1, total: 2, message: 'Half done' });`;

const askingRun = (progress: boolean): string => `
  asks: ['elicitation.form'],
  // In a plain call of revision ${DIALECT_REVISIONS.ext} it starts again when the answer is there.
  retryable: true,
  async run({ task }) {${progress ? PROGRESS : ''}
    const { action, content } = await task.elicit({
      message: 'Which text?',
      requestedSchema: {
        type: 'object',
        properties: { text: { type: 'string', title: 'Text' } },
        required: ['text'],
      },
    });
    if (action !== 'accept') throw new Error('The user gave no text.');
    return z.object({ text: z.string() }).parse(content);
  },`;

/** Where a test finds the part. */
export interface PartModule {
  readonly local: string;
  /** The name of its file, without extension. */
  readonly file: string;
}

/** Its test, which needs nothing else of the project. */
export function testText(name: string, { local, file }: PartModule, traits: ToolTraits): string {
  const { ask, progress } = traits;
  const answer = ask
    ? `, {
    answer: { form: () => ({ action: 'accept', content: { text: 'Hello' } }) },
  }`
    : '';
  const options = progress ? ', { onProgress }' : '';
  const args = ask ? '{}' : `{ text: 'Hello' }`;
  return `import { defineServer } from '@mcp-codegen/runtime/server';
import { startTestServer } from '@mcp-codegen/runtime/testing';
import { expect, it, onTestFinished } from 'vitest';
import { ${local} } from '../src/tools/${file}.js';

const server = defineServer({ name: 'test', version: '1.0.0', tools: [${local}] });

it('${name} returns a text', async () => {
  const app = await startTestServer(server${answer});
  onTestFinished(() => app.close());
${progress ? PROGRESSED : ''}  for (const [way, result] of await app.callEachWay('${name}', ${args}${options})) {
    expect(result.structuredContent, way).toEqual({ text: 'Hello' });
  }
${progress ? `  expect(messages).toContain('Half done');\n` : ''}});
`;
}

const PROGRESSED = `  const messages: unknown[] = [];
  const onProgress = ({ message }: { message?: string }) => messages.push(message);
`;
