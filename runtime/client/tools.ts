import type { Client, Tool } from '@modelcontextprotocol/client';

import { asCallError } from './errors.js';

/** The server's tools, listed once until it says that they changed. */
export interface ToolListing {
  all(): Promise<readonly Tool[]>;
  find(name: string): Promise<Tool | undefined>;
  forget(): void;
}

export function createToolListing(client: Client): ToolListing {
  let listed: Promise<ReadonlyMap<string, Tool>> | undefined;

  function list(): Promise<ReadonlyMap<string, Tool>> {
    if (listed !== undefined) return listed;
    const asked = client.listTools(undefined, { cacheMode: 'refresh' }).then(
      ({ tools }) => new Map(tools.map((tool) => [tool.name, tool])),
      (error: unknown) => {
        if (listed === asked) listed = undefined;
        throw asCallError(error);
      },
    );
    listed = asked;
    return asked;
  }

  return {
    all: async () => [...(await list()).values()],
    find: async (name) => (await list()).get(name),
    forget() {
      listed = undefined;
    },
  };
}
