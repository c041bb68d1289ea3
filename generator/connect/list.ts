import * as z from 'zod';
import { DiagnosticError } from '../diagnostics/index.js';
import type { JsonValue } from '../ir/index.js';
import { withServer } from './server.js';
import type { ConnectOptions, ServerLocation } from './server.js';

/** What a server says of itself and of its tools, as it came. */
export interface ServerTools {
  /** What the server calls itself, if anything. */
  readonly name: string | undefined;
  readonly tools: readonly JsonValue[];
}

/** A server that goes on for longer is taken to go on forever. */
const MOST_PAGES = 100;

/** Anything may be in the list: one tool that makes no sense must not hide the others. */
const PageSchema = z.looseObject({
  tools: z.array(z.custom<JsonValue>()),
  nextCursor: z.string().optional(),
});

/**
 * All pages of a server's `tools/list`. No tool is called, and none of what is said of one is
 * trusted.
 *
 * @throws {DiagnosticError} `unreachable-server`.
 */
export async function listTools(
  location: ServerLocation,
  options: ConnectOptions,
): Promise<ServerTools> {
  return await withServer(location, options, async (client, signal) => {
    const tools: JsonValue[] = [];
    const seen = new Set<string>();
    for (let cursor: string | undefined; ;) {
      const params = cursor === undefined ? {} : { cursor };
      const page = await client.request({ method: 'tools/list', params }, PageSchema, {
        signal,
        timeout: options.timeout,
      });
      tools.push(...page.tools);
      cursor = page.nextCursor;
      if (cursor === undefined) break;
      if (seen.has(cursor) || seen.size >= MOST_PAGES) throw endless();
      seen.add(cursor);
    }
    return { name: client.getServerVersion()?.name, tools };
  });
}

function endless(): DiagnosticError {
  return new DiagnosticError([
    {
      code: 'unreachable-server',
      severity: 'error',
      message: `The list of tools does not end: a page repeats, or there are more than ${String(MOST_PAGES)} pages.`,
    },
  ]);
}
