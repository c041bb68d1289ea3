import { METHODS } from '../protocol/index.js';
import type { JsonObject } from '../tasks/index.js';
import { at, isObject, member } from '../wire/json.js';
import { HEADER_MISMATCH } from './errors.js';
import type { Incoming } from './incoming.js';
import { refusal } from './refusals.js';

const PREFIX = 'mcp-param-';

/**
 * Refuses a request of revision 2026-07-28 with an `Mcp-Param-*` header for which the call has no argument.
 * The SDK compares the headers of arguments that are present and ignores others. A gateway that routed the
 * request by such a header saw a value that the tool never gets.
 */
export function refuseParamHeaders(
  incoming: Incoming,
  message: JsonObject,
  inputSchemaOf: (tool: string) => unknown,
): Response | undefined {
  const given = paramHeaders(incoming);
  if (given.length === 0) return undefined;
  const mirrored = mirroredNames(message, inputSchemaOf);
  const header = given.find((name) => !mirrored.has(name.slice(PREFIX.length)));
  if (header === undefined) return undefined;
  const body = `the call has no argument for the header ${header}`;
  const text = `Bad Request: the request headers and body disagree: ${body}`;
  return refusal(400, HEADER_MISMATCH, text, {
    id: message['id'],
    data: { mismatch: { header, body } },
  });
}

/** The names of a request's `Mcp-Param-*` headers, in lower case. */
export function paramHeaders(incoming: Incoming): readonly string[] {
  const names: string[] = [];
  for (const name of incoming.headerNames()) if (name.startsWith(PREFIX)) names.push(name);
  return names;
}

/** Names of headers, in lower case, whose arguments are in the call. */
function mirroredNames(
  message: JsonObject,
  inputSchemaOf: (tool: string) => unknown,
): ReadonlySet<string> {
  const names = new Set<string>();
  if (message['method'] !== METHODS.toolsCall) return names;
  const schema = inputSchemaOf(String(at(message, ['params', 'name'])));
  collect(schema, at(message, ['params', 'arguments']), names);
  return names;
}

function collect(schema: unknown, value: unknown, names: Set<string>): void {
  const name = member(schema, 'x-mcp-header');
  if (typeof name === 'string' && value !== undefined && value !== null) {
    names.add(name.toLowerCase());
  }
  const properties = member(schema, 'properties');
  if (!isObject(properties) || !isObject(value)) return;
  for (const [key, each] of Object.entries(properties)) collect(each, member(value, key), names);
}
