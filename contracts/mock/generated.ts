import { isObject } from '../../runtime/peer/wire/json.js';
import { rpcError } from '../../runtime/peer/index.js';
import { ERROR_CODES } from '../../runtime/protocol.js';
import {
  defineTool,
  type JsonSchema,
  type ResourceOutput,
  type ToolOutput,
} from '../../runtime/server/index.js';
import { quote } from '../../json-schema/text.js';
import { valueCheck } from '../lock/compat/index.js';
import type { Sent } from '../lock/index.js';

/** What a server says of an entry of a lock when nothing was recorded. */

/** A schema that values can be checked with; others accept every value. */
export function readable(schema: unknown, key: 'input' | 'output'): JsonSchema | undefined {
  if (!isObject(schema) || typeof valueCheck(schema as Sent) === 'string') return undefined;
  const own = schema as JsonSchema;
  try {
    defineTool({ name: 'tool', description: '', input: OBJECT, [key]: own, run: never });
    return own;
  } catch {
    return undefined;
  }
}

/** For a tool whose own schema cannot be read. */
export const OBJECT = { type: 'object' } as JsonSchema;

export function never(): never {
  throw new Error('This tool is only defined');
}

export function noValue(tool: string): never {
  const what = `No result could be generated from the outputSchema of the tool ${quote(tool)}`;
  throw rpcError(ERROR_CODES.InternalError, `${what}: no value was found that it accepts`);
}

/** The result of a tool without a schema that could check it. */
export function unchecked(tool: Sent): ToolOutput {
  const text = `This is a generated result of the tool ${textIn(tool, 'name')}.`;
  const hasSchema = tool['outputSchema'] !== undefined;
  return { content: [{ type: 'text', text }], ...(hasSchema && { structuredContent: {} }) };
}

export function contentOf({ mimeType }: Sent, uri: string): ResourceOutput {
  const type = typeof mimeType === 'string' ? mimeType : 'text/plain';
  return { uri, mimeType: type, text: `This is a generated content of ${uri}.` };
}

export function textIn(entry: Sent, key: string): string {
  const value = entry[key];
  return typeof value === 'string' ? value : '';
}
