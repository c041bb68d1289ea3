import { CfWorkerJsonSchemaValidator } from '@modelcontextprotocol/client/validators/cf-worker';
import { Client, InMemoryTransport } from '@modelcontextprotocol/client';
import type { ClientOptions, Tool } from '@modelcontextprotocol/client';
import { fromJsonSchema, McpServer, Server } from '@modelcontextprotocol/server';
import type {
  SchemaValidator,
  SchemaValidatorOptions,
} from '../../generator/emit/support/schema-validator.js';

/** A client and servers of the official SDK with emitted checks; prints what each call says. */

/** The emitted module, and the tools that it was emitted from. */
declare const jsonSchemaValidator: (options?: SchemaValidatorOptions) => SchemaValidator;
declare const tools: readonly Pick<Tool, 'name' | 'inputSchema' | 'outputSchema'>[];

const INFO = { name: 'test', version: '1.0.0' };

async function connected(server: Server, options: ClientOptions): Promise<Client> {
  const [one, other] = InMemoryTransport.createLinkedPair();
  const client = new Client(INFO, options);
  await Promise.all([server.connect(one), client.connect(other)]);
  return client;
}

const outcome = async (call: () => Promise<unknown>): Promise<string> => {
  try {
    return JSON.stringify(await call());
  } catch (error) {
    return String(error);
  }
};

/** A server that lists the tools, one more, and returns what it is asked to return. */
function echoing(): Server {
  const server = new Server(INFO, { capabilities: { tools: {} } });
  const other = {
    ...tools[0],
    name: 'other',
    outputSchema: { type: 'object', required: ['other'] },
  };
  server.setRequestHandler('tools/list', () => ({ tools: [...tools, other] as Tool[] }));
  server.setRequestHandler('tools/call', ({ params }) => ({
    content: [],
    structuredContent: params.arguments ?? {},
  }));
  return server;
}

/** What a client says about structured content. */
async function received(options: SchemaValidatorOptions): Promise<string[]> {
  const client = await connected(echoing(), { jsonSchemaValidator: jsonSchemaValidator(options) });
  await client.listTools();
  const call = (name: string, content: object): Promise<string> =>
    outcome(
      async () => (await client.callTool({ name, arguments: content as never })).structuredContent,
    );
  const said = [
    await call('add', { sum: 3 }),
    await call('add', { sum: 'three' }),
    await call('other', { other: 1 }),
    await call('other', { sum: 1 }),
  ];
  await client.close();
  return said;
}

/** What a server says about arguments. */
async function served(): Promise<string[]> {
  const server = new McpServer(INFO, { jsonSchemaValidator: jsonSchemaValidator() });
  const [add] = tools;
  if (!add) return [];
  server.registerTool(
    'add',
    { inputSchema: fromJsonSchema(add.inputSchema as never, jsonSchemaValidator()) },
    () => ({ content: [{ type: 'text', text: 'called' }] }),
  );
  const client = await connected(server.server, {});
  const said = [
    await outcome(() => client.callTool({ name: 'add', arguments: { numbers: [1, 2] } })),
    await outcome(() => client.callTool({ name: 'add', arguments: { numbers: [1, '2'] } })),
  ];
  await client.close();
  return said;
}

const evaluates = ((): boolean => {
  try {
    return eval('true') as boolean;
  } catch {
    return false;
  }
})();

const fallback = new CfWorkerJsonSchemaValidator();
console.log(
  JSON.stringify({
    evaluates,
    alone: await received({}),
    withFallback: await received({ fallback }),
    served: await served(),
  }),
);
