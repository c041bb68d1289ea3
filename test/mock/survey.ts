import { Client as ClientV1 } from '@modelcontextprotocol/sdk/client/index.js';
import { ElicitRequestSchema } from '@modelcontextprotocol/sdk/types.js';
import { createTaskClient } from '../../runtime/client/index.js';
import { clientV2, INFO } from '../server/clients.js';
import type { Original } from './originals.js';

/** Asks a server everything that is asked of it, through a client: all that the client got. */
export type Survey = (transport: never, original: Original) => Promise<unknown>;

const FORM = {
  name: 'Ann',
  mail: 'ann@example.org',
  site: 'https://example.org/ann',
  since: '2026-01-01T00:00:00Z',
  plan: 'paid',
  age: 42,
};

/** Asks for progress. SDK clients drop what they read in one piece with the answer: the recordings are compared. */
const ignored = (): void => undefined;

/** The parts of SDK clients, version 1 and 2, that are spelled alike. */
type AnyClient = Pick<
  ClientV1,
  | 'getServerCapabilities'
  | 'getServerVersion'
  | 'getInstructions'
  | 'listTools'
  | 'listPrompts'
  | 'listResources'
  | 'listResourceTemplates'
  | 'readResource'
  | 'getPrompt'
  | 'close'
> & { callTool(call: { name: string; arguments: object }, ...more: unknown[]): Promise<unknown> };

async function survey(
  client: AnyClient,
  { calls, prompts, resources }: Original,
  call: (name: string, args: object) => Promise<unknown>,
): Promise<unknown> {
  const can = client.getServerCapabilities();
  const seen: unknown[] = [
    client.getServerVersion(),
    can,
    client.getInstructions(),
    await client.listTools(),
  ];
  if (can?.prompts) seen.push(await client.listPrompts());
  if (can?.resources) seen.push(await client.listResources(), await client.listResourceTemplates());
  const answers: unknown[] = [];
  for (const [name, args] of calls) answers.push(await call(name, args).catch(String));
  for (const [name, args] of prompts)
    answers.push(await client.getPrompt({ name, arguments: args }));
  for (const uri of resources) answers.push(await client.readResource({ uri }));
  await client.close();
  return [...seen, ...answers];
}

async function throughV2(
  transport: never,
  mode: 'legacy' | 'auto',
  original: Original,
): Promise<unknown> {
  const client = (await clientV2(transport, mode, FORM)) as unknown as AnyClient;
  return survey(client, original, (name, args) =>
    client.callTool({ name, arguments: args }, { onprogress: ignored }),
  );
}

/** By the names of the clients. */
export const SURVEYS: Readonly<Record<string, Survey>> = {
  async 'SDK v1'(transport, original) {
    const client = new ClientV1(INFO, { capabilities: { elicitation: {} } });
    client.setRequestHandler(ElicitRequestSchema, () => ({ action: 'accept', content: FORM }));
    await client.connect(transport);
    return survey(client as AnyClient, original, (name, args) =>
      (client as AnyClient).callTool({ name, arguments: args }, undefined, { onprogress: ignored }),
    );
  },
  'SDK v2, sessions': (transport, original) => throughV2(transport, 'legacy', original),
  'SDK v2, newest': (transport, original) => throughV2(transport, 'auto', original),
  async ours(transport, { calls, prompts, resources }) {
    const client = createTaskClient({
      ...INFO,
      answer: { form: () => ({ action: 'accept', content: FORM }) },
    });
    await client.connect(transport);
    const seen: unknown[] = [client.revision, client.server, await client.tools()];
    for (const [name, args] of calls) {
      seen.push(await client.call(name, args, { onProgress: ignored }).catch(String));
    }
    for (const [name, args] of prompts) seen.push(await client.prompt(name, args));
    for (const uri of resources) seen.push(await client.read(uri));
    await client.close();
    return seen;
  },
};
