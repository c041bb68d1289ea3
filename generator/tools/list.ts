import { DiagnosticError, jsonProblem } from '../diagnostics/index.js';
import type { JsonValue } from '../../json-schema/index.js';
import { isObject } from '../../json-schema/json.js';
import { isTooDeep } from './limits.js';

/**
 * The tools in a text: `{ "tools": […] }`, a JSON-RPC response with that as its result, or the list alone.
 *
 * @throws {DiagnosticError} `not-json`, or `bad-tool` when there is no list.
 */
export function parseToolList(text: string, source: string): JsonValue[] {
  const json = parseJson(text, source);
  const result = isObject(json) && isObject(json['result']) ? json['result'] : json;
  const tools = isObject(result) ? result['tools'] : result;
  if (Array.isArray(tools)) return tools;
  throw refusal('bad-tool', 'The document contains no list of tools.', source);
}

function parseJson(text: string, source: string): JsonValue {
  try {
    return JSON.parse(text) as JsonValue;
  } catch (error) {
    const { reason, help } = jsonProblem(text, error);
    throw refusal('not-json', `The file is not JSON: ${reason}.`, source, help);
  }
}

function refusal(
  code: 'bad-tool' | 'not-json',
  message: string,
  source: string,
  help = 'Use the answer to tools/list: { "tools": [ … ] }.',
): DiagnosticError {
  return new DiagnosticError([{ code, severity: 'error', message, source, help }]);
}

/** The same tools give the same text, in any order. It contains only what is generated from. */
export function printToolList(tools: readonly JsonValue[]): string {
  const sorted = tools
    .map((tool) => recorded(tool))
    .sort(({ name: a = '' }, { name: b = '' }) => (a < b ? -1 : a > b ? 1 : 0));
  return `${JSON.stringify({ tools: sorted }, null, 2)}\n`;
}

interface Recorded {
  readonly name?: string;
  readonly description?: string;
  readonly inputSchema?: JsonValue;
  readonly outputSchema?: JsonValue;
}

function recorded(tool: JsonValue): Recorded {
  const { name, description, inputSchema, outputSchema } = isObject(tool) ? tool : {};
  return {
    ...(typeof name === 'string' && { name }),
    ...(typeof description === 'string' && { description }),
    ...(inputSchema !== undefined && { inputSchema: shallow(inputSchema) }),
    ...(outputSchema !== undefined && { outputSchema: shallow(outputSchema) }),
  };
}

/** A schema that nests too deeply is not read, so a text stands for it. */
function shallow(schema: JsonValue): JsonValue {
  return isTooDeep(schema) ? 'nests too deeply' : schema;
}
