import type { Client, Tool } from '@modelcontextprotocol/client';

import { isObject } from '../wire/json.js';
import { asCallError, invalidAnswer } from './errors.js';
import type { SchemaChecker } from './schemas.js';
import type { ToolResult } from './types.js';

/** The server's tools, listed once until it says that they changed. */
export interface ToolListing {
  all(): Promise<readonly Tool[]>;
  find(name: string): Promise<Tool | undefined>;
  /**
   * The tool as the SDK may have it for a call: for its headers, without its output schema, which the
   * SDK would check in this thread for as long as that takes. A stub when the tool has not been listed.
   */
  forCall(name: string): Tool;
  /**
   * The result, once it is what the tool's output schema says, as far as the tool has been listed.
   * Rejects with `invalid_answer`.
   */
  checked(name: string, result: ToolResult): Promise<ToolResult>;
  /** Remembers a page of tools, also one that the user of the SDK client requested. */
  hear(page: unknown): void;
  forget(): void;
}

export function createToolListing(client: Client, schemas: SchemaChecker): ToolListing {
  let listed: Promise<ReadonlyMap<string, Tool>> | undefined;
  const heard = new Map<string, Tool>();

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
    forCall(name) {
      const { outputSchema: _, ...tool } = heard.get(name) ?? STUB;
      return { ...tool, name };
    },
    async checked(name, result) {
      const schema = heard.get(name)?.outputSchema;
      if (schema === undefined) return result;
      const { structuredContent } = result;
      const complaint =
        structuredContent === undefined
          ? 'there is no structured content'
          : await schemas.complaint(schema, structuredContent);
      if (complaint === undefined) return result;
      throw invalidAnswer(`Tool ${name} and its output schema disagree: ${complaint}`);
    },
    hear(page) {
      if (!isObject(page) || !Array.isArray(page['tools'])) return;
      for (const tool of page['tools'] as unknown[]) {
        if (isObject(tool) && typeof tool['name'] === 'string' && isObject(tool['inputSchema'])) {
          heard.set(tool['name'], tool as unknown as Tool);
        }
      }
    },
    forget() {
      listed = undefined;
      heard.clear();
    },
  };
}

const STUB: Tool = { name: '', inputSchema: { type: 'object' } };
