import type { Client, Tool } from '@modelcontextprotocol/client';

import { isObject } from '../wire/json.js';
import { asCallError, invalidAnswer } from './errors.js';
import type { SchemaChecker } from './schemas.js';
import type { ToolResult } from './types.js';

/** The server's tools, cached until the server announces a change. */
export interface ToolListing {
  all(): Promise<readonly Tool[]>;
  find(name: string): Promise<Tool | undefined>;
  /**
   * The tool for the SDK's `callTool`, which needs it for headers. Without its output schema, because the
   * SDK would check that in this thread without a time limit. A stub when the tool has not been listed.
   */
  forCall(name: string): Tool;
  /**
   * The result, checked against the tool's output schema if the tool has been listed. Rejects with
   * `invalid_answer`.
   */
  checked(name: string, result: ToolResult): Promise<ToolResult>;
  /** Stores the tools of a `tools/list` result, also of one that the application requested. */
  remember(page: unknown): void;
  forget(): void;
}

export function createToolListing(client: Client, schemas: SchemaChecker): ToolListing {
  let listed: Promise<ReadonlyMap<string, Tool>> | undefined;
  const known = new Map<string, Tool>();

  function list(): Promise<ReadonlyMap<string, Tool>> {
    if (listed !== undefined) return listed;
    const request = client.listTools(undefined, { cacheMode: 'refresh' }).then(
      ({ tools }) => new Map(tools.map((tool) => [tool.name, tool])),
      (error: unknown) => {
        if (listed === request) listed = undefined;
        throw asCallError(error);
      },
    );
    listed = request;
    return request;
  }

  return {
    all: async () => [...(await list()).values()],
    find: async (name) => (await list()).get(name),
    forCall(name) {
      const { outputSchema: _, ...tool } = known.get(name) ?? STUB;
      return { ...tool, name };
    },
    async checked(name, result) {
      const schema = known.get(name)?.outputSchema;
      if (schema === undefined) return result;
      const { structuredContent } = result;
      const problem =
        structuredContent === undefined
          ? 'the result has no structuredContent'
          : await schemas.problem(schema, structuredContent);
      if (problem === undefined) return result;
      throw invalidAnswer(`The result of ${name} does not match its output schema: ${problem}`);
    },
    remember(page) {
      if (!isObject(page) || !Array.isArray(page['tools'])) return;
      for (const tool of page['tools'] as unknown[]) {
        if (isObject(tool) && typeof tool['name'] === 'string' && isObject(tool['inputSchema'])) {
          known.set(tool['name'], tool as unknown as Tool);
        }
      }
    },
    forget() {
      listed = undefined;
      known.clear();
    },
  };
}

const STUB: Tool = { name: '', inputSchema: { type: 'object' } };
