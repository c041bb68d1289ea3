import { type Client, fromJsonSchema, type Tool } from '@modelcontextprotocol/client';

import { asCallError, invalidAnswer } from './errors.js';
import type { ToolResult } from './types.js';

/** The server's tools, listed once until it says that they changed. */
export interface ToolListing {
  all(): Promise<readonly Tool[]>;
  find(name: string): Promise<Tool | undefined>;
  /**
   * The result, once it is what the tool's output schema says, as far as the tool has been listed.
   * The SDK does that for plain results. Rejects with `invalid_answer`.
   */
  checked(name: string, result: ToolResult): Promise<ToolResult>;
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
    async checked(name, result) {
      const schema = (await listed?.catch(() => undefined))?.get(name)?.outputSchema;
      if (schema === undefined) return result;
      const complaint = await complaintAbout(schema, result.structuredContent);
      if (complaint === undefined) return result;
      throw invalidAnswer(`Tool ${name} and its output schema disagree: ${complaint}`);
    },
    forget() {
      listed = undefined;
    },
  };
}

type Schema = Parameters<typeof fromJsonSchema>[0];

/** Compiling a schema costs more than using it. */
const compiled = new WeakMap<object, ReturnType<typeof fromJsonSchema>>();

async function complaintAbout(schema: object, value: unknown): Promise<string | undefined> {
  if (value === undefined) return 'there is no structured content';
  try {
    const validator = compiled.get(schema) ?? fromJsonSchema(schema as Schema);
    compiled.set(schema, validator);
    const { issues } = await validator['~standard'].validate(value);
    return issues?.map(({ message }) => message).join('; ');
  } catch (error) {
    return String(error);
  }
}
