import { Server } from '@modelcontextprotocol/sdk/server/index.js';
import { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js';
import { ListToolsRequestSchema } from '@modelcontextprotocol/sdk/types.js';

/**
 * A server of the official SDK that lists a tool for each capability of the client, and asks the client what that allows
 * before it does. The descriptions have the answers.
 */
const server = new Server({ name: 'viewpoint', version: '1' }, { capabilities: { tools: {} } });
const said = async (answer: Promise<object>): Promise<string> =>
  await answer.then(
    (each) => JSON.stringify(each),
    (error: unknown) => `error: ${(error as Error).message}`,
  );
const message = { role: 'user', content: { type: 'text', text: 'Hi' } } as const;
const requestedSchema = { type: 'object', properties: {} } as const;

server.setRequestHandler(ListToolsRequestSchema, async () => {
  const { elicitation, sampling, roots, tasks } = server.getClientCapabilities() ?? {};
  const answers = {
    always: 'nothing',
    ...(elicitation && {
      elicitation: await said(server.elicitInput({ message: 'Who?', requestedSchema })),
    }),
    ...(sampling && {
      sampling: await said(server.createMessage({ messages: [message], maxTokens: 1 })),
    }),
    ...(roots && { roots: await said(server.listRoots()) }),
    ...(tasks && { tasks: JSON.stringify(tasks) }),
  };
  const inputSchema = { type: 'object' } as const;
  return {
    tools: Object.entries(answers).map(([name, description]) => ({
      name,
      description,
      inputSchema,
    })),
  };
});
await server.connect(new StdioServerTransport());
