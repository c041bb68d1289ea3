import { DIALECT_REVISIONS } from '../revisions/index.js';

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
  input: z.object({${ask ? '' : ' text: z.string() '}}),
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

const EXPECTATION = `  expect(result.structuredContent).toEqual({ text: 'Hello' });
});
`;

const ANSWER = `  client.setRequestHandler('elicitation/create', () => ({
    action: 'accept' as const,
    content: { text: 'Hello' },
  }));
`;

function callOf(name: string, { ask, progress }: ToolTraits): string {
  const args = ask ? '{}' : `{ text: 'Hello' }`;
  const call = `{ name: '${name}', arguments: ${args} }`;
  if (!progress) return `  const result = await client.callTool(${call});\n${EXPECTATION}`;
  // The SDK drops what `onprogress` has not received when a result arrives right behind it.
  return `  const messages: unknown[] = [];
  client.setNotificationHandler('notifications/progress', ({ params }) => {
    messages.push(params.message);
  });
  const result = await client.callTool(${call}, { onprogress: () => undefined });
  expect(messages).toContain('Half done');
${EXPECTATION}`;
}

/** Its test in a project with `test/app.ts`. */
export function testText(name: string, traits: ToolTraits): string {
  const { ask } = traits;
  const capabilities = ask ? ', capabilities: { elicitation: {} }' : '';
  return `import { expect, it } from 'vitest';
import { connect } from './app.js';

it('${name} returns a text', async () => {
  const { client } = await connect({ mode: 'auto'${capabilities} });
${ask ? ANSWER : ''}${callOf(name, traits)}`;
}

/** Its test in a minimal project. */
export function minimalTestText(name: string, traits: ToolTraits): string {
  const { ask } = traits;
  const capabilities = ask ? ', { capabilities: { elicitation: {} } }' : '';
  return `import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { createHttpHandler } from '@mcp-codegen/runtime/server';
import { createMemoryStore } from '@mcp-codegen/runtime/stores/memory';
import { expect, it, onTestFinished } from 'vitest';
import { createServer } from '../src/server.js';

it('${name} returns a text', async () => {
  const server = await createServer(createMemoryStore());
  onTestFinished(() => server.close());
  const identify = () => ({ issuer: 'test', subject: 'ann', client: 'test', scopes: [] });
  const handler = createHttpHandler(server, { identify });
  const transport = new StreamableHTTPClientTransport(new URL('http://127.0.0.1/mcp'), {
    requestInit: { headers: { host: '127.0.0.1' } },
    fetch: (url, init) => handler.fetch(new Request(url, init)),
  });
  const client = new Client({ name: 'test', version: '1.0.0' }${capabilities});
${ask ? ANSWER : ''}  await client.connect(transport);
${callOf(name, traits)}`;
}
