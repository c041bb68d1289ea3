import type { Tool as CoreTool } from '../../generated/2025-11-25/types.js';
import type { Tool as ExtTool } from '../../generated/2026-07-28/types.js';
import { METHODS } from '../protocol.js';
import type { JsonObject } from '../tasks/index.js';
import { isObject } from '../peer/wire/json.js';
import { unwrappedResult } from '../peer/wire/wrapped-result.js';
import { invalidAnswer } from './errors.js';
import type { Link } from './link.js';
import { listed } from './listed.js';
import { headersFor, mirroredIn } from './param-headers.js';
import { printable } from './printable.js';
import type { Answered } from './requests.js';
import type { ToolResult } from './types.js';

/** A tool of a server of any revision. */
export type Tool = Omit<ExtTool, 'inputSchema'> & Pick<CoreTool, 'inputSchema' | 'execution'>;

/** The server's tools, kept until the server announces a change, and no longer than its `ttlMs` says. */
export interface ToolListing {
  all(): Promise<readonly Tool[]>;
  find(name: string): Promise<Tool | undefined>;
  /** The headers that repeat arguments of a call, by the tool's schema if the tool has been listed. */
  headersOf(name: string, args: JsonObject): Readonly<Record<string, string>> | undefined;
  /**
   * The result, checked against the tool's output schema if the tool has been listed, with the value that the tool returned:
   * sessions get what is no object wrapped in one. Rejects with `invalid_answer`.
   */
  checked(name: string, result: ToolResult): Promise<ToolResult>;
  /** Stores the tools of a `tools/list` result, also of one that the application requested. */
  remember(page: JsonObject): void;
  forget(): void;
}

export function createToolListing(link: Link, onProblem: (error: Error) => void): ToolListing {
  let list: Promise<ReadonlyMap<string, Tool>> | undefined;
  /** By `performance.now()`. Sessions do not say how long a list is fresh. */
  let freshUntil = Infinity;
  const known = new Map<string, Tool>();

  /** Over HTTP, a tool whose parameters no header can repeat cannot be called. */
  function isCallable(tool: Tool): boolean {
    const { fault } = link.hasHeaders ? mirroredIn(tool.inputSchema) : {};
    if (fault !== undefined) link.entries.add(METHODS.toolsList, tool, fault);
    return fault === undefined;
  }

  function ofTool(result: ToolResult): ToolResult {
    return link.dialect === 'core' ? unwrappedResult(result) : result;
  }

  /** None where the server declares capabilities, but no tools. */
  async function listing(onPage: (page: ListPage) => void): Promise<readonly Tool[]> {
    const { capabilities } = link.server;
    if (isObject(capabilities) && !link.serves(METHODS.toolsList)) return [];
    return listed(link, METHODS.toolsList, (page): readonly Tool[] => {
      onPage(page);
      return page.tools;
    });
  }

  function tools(): Promise<ReadonlyMap<string, Tool>> {
    if (list !== undefined && performance.now() < freshUntil) return list;
    let until = Infinity;
    // Those that come while it is on its way share it.
    freshUntil = Infinity;
    const request = listing((page) => (until = Math.min(until, endOf(page)))).then(
      (all) => {
        // Not when the server has announced a change meanwhile.
        if (list === request) {
          freshUntil = until;
          known.clear();
          remember({ tools: all });
        }
        return new Map(all.filter(isCallable).map((tool) => [tool.name, tool]));
      },
      (error: unknown) => {
        if (list === request) list = undefined;
        throw error;
      },
    );
    list = request;
    return request;
  }

  function remember(page: { readonly tools?: unknown }): void {
    if (!Array.isArray(page.tools)) return;
    for (const tool of page.tools as unknown[]) {
      if (isObject(tool) && typeof tool['name'] === 'string' && isObject(tool['inputSchema'])) {
        known.set(tool['name'], tool as unknown as Tool);
      }
    }
  }

  /** The check is loaded with the first result that needs it, because most clients need none. */
  async function outputProblem(
    name: string,
    schema: object,
    { structuredContent }: ToolResult,
  ): Promise<string | undefined> {
    if (structuredContent === undefined) return 'the result has no structuredContent';
    const { contentProblem } = await import('./schemas.js');
    return contentProblem(schema, structuredContent, (what) =>
      onProblem(new Error(printable(`The output schema of ${name}: ${what}`))),
    );
  }

  return {
    all: async () => [...(await tools()).values()],
    find: async (name) => (await tools()).get(name),
    headersOf(name, args) {
      const schema = link.hasHeaders ? known.get(name)?.inputSchema : undefined;
      return schema && headersFor(schema, args);
    },
    async checked(name, result) {
      const schema = known.get(name)?.outputSchema;
      if (schema === undefined) return ofTool(result);
      const problem = await outputProblem(name, schema, result);
      if (problem === undefined) return ofTool(result);
      const message = `The result of ${name} does not match its output schema: ${problem}`;
      throw invalidAnswer(printable(message), ofTool(result));
    },
    remember,
    forget() {
      list = undefined;
      known.clear();
    },
  };
}

type ListPage = Answered<typeof METHODS.toolsList>;

/** When a page is no longer fresh, by `performance.now()`. */
function endOf({ ttlMs }: ListPage): number {
  return typeof ttlMs === 'number' ? performance.now() + Math.max(0, ttlMs) : Infinity;
}
