/** `x-mcp-header`: arguments of calls that HTTP headers repeat, in revisions without sessions. */

import type { JsonObject } from '../tasks/index.js';
import { at } from '../peer/wire/json.js';
import {
  encodedHeader,
  headerText,
  mirroredParams,
  type Scan,
} from '../peer/wire/mirrored-headers.js';

/** Values in a schema of a server. */
const MOST = 10_000;
/** By schema, because a tool is called many times. */
const scans = new WeakMap<object, Scan>();

export function mirroredIn(schema: object): Scan {
  let scan = scans.get(schema);
  if (scan === undefined) scans.set(schema, (scan = mirroredParams(schema, MOST)));
  return scan;
}

/** The headers of a call. Undefined where the schema has none. */
export function headersFor(
  schema: object,
  args: JsonObject,
): Readonly<Record<string, string>> | undefined {
  const { mirrored } = mirroredIn(schema);
  if (mirrored.length === 0) return undefined;
  const headers: Record<string, string> = {};
  for (const { header, path } of mirrored) {
    const text = headerText(at(args, path));
    if (text !== undefined) headers[`Mcp-Param-${header}`] = encodedHeader(text);
  }
  return headers;
}
