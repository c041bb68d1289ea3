import * as z from 'zod';
import { DiagnosticError } from '../../../generator/diagnostics/index.js';
import type { JsonValue } from '../../../json-schema/index.js';
import { METHODS } from '../../../runtime/protocol.js';
import type { ServerLocation } from './location.js';
import { withServer } from './server.js';
import type { ConnectOptions } from './server.js';

/** A server's name and its tools, unchecked. */
export interface ServerTools {
  /** The server's name, if it sent one. */
  readonly name: string | undefined;
  readonly tools: readonly JsonValue[];
}

/** Pages of tools; more mean that the list never ends. */
const MOST_PAGES = 100;

/** Accepts any tools, because one invalid tool must not hide the others. */
const PageSchema = z.looseObject({
  tools: z.array(z.custom<JsonValue>()),
  nextCursor: z.string().optional(),
});

/**
 * Reads all pages of a server's `tools/list`. It calls no tool and trusts no content.
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
      const own = { signal, timeout: options.timeout, checksItself: true };
      const page = PageSchema.parse(await client.request(METHODS.toolsList, params, own));
      tools.push(...page.tools);
      cursor = page.nextCursor;
      if (cursor === undefined) break;
      if (seen.has(cursor) || seen.size >= MOST_PAGES) throw endless();
      seen.add(cursor);
    }
    return { name: client.server.info?.name, tools };
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
