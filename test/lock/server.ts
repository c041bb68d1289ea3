import { readFileSync } from 'node:fs';
import { Server } from '@modelcontextprotocol/server';
import { StdioServerTransport } from '@modelcontextprotocol/server/stdio';

/** A server of the official SDK that offers what a file says, as the members of a lock. */
interface Offered {
  readonly server: { readonly name: string; readonly version: string };
  readonly instructions?: string;
  readonly capabilities: object;
  readonly tools: readonly never[];
  readonly prompts: readonly never[];
  readonly resources: readonly never[];
  readonly resourceTemplates: readonly never[];
}

const offered = JSON.parse(readFileSync(process.argv[2] ?? '', 'utf8')) as Offered;
const { instructions, capabilities } = offered;
const server = new Server(offered.server, {
  capabilities,
  ...(instructions !== undefined && { instructions }),
});
/** Two entries a page. */
function page<T>(all: readonly T[], params: { readonly cursor?: string | undefined } | undefined) {
  const start = Number(params?.cursor ?? 0);
  const rest = all.length > start + 2 ? { nextCursor: String(start + 2) } : {};
  return { entries: all.slice(start, start + 2), rest };
}

if ('tools' in capabilities) {
  server.setRequestHandler('tools/list', ({ params }) => {
    const { entries, rest } = page(offered.tools, params);
    return { tools: [...entries], ...rest };
  });
}
if ('prompts' in capabilities) {
  server.setRequestHandler('prompts/list', () => ({ prompts: [...offered.prompts] }));
}
if ('resources' in capabilities) {
  server.setRequestHandler('resources/list', () => ({ resources: [...offered.resources] }));
  // Without templates it does not have the method, as many servers.
  if (offered.resourceTemplates.length > 0) {
    server.setRequestHandler('resources/templates/list', () => ({
      resourceTemplates: [...offered.resourceTemplates],
    }));
  }
}
await server.connect(new StdioServerTransport());
