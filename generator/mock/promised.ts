import { rpcError } from '../../runtime/peer/index.js';
import { ERROR_CODES, METHODS } from '../../runtime/protocol.js';
import { at, isObject, member } from '../../runtime/peer/wire/json.js';
import { COMPLETIONS } from '../../runtime/server/features/completions.js';
import {
  createTaskServer,
  definePrompt,
  defineResource,
  defineResourceTemplate,
  defineTool,
  type JsonSchema,
  type ResourceOutput,
  type ServerPrompt,
  type ServerResource,
  type ServerTool,
  type TaskServer,
  type ToolOutput,
} from '../../runtime/server/index.js';
import { quote } from '../../json-schema/text.js';
import { acceptedValues, valueCheck } from '../contracts/lock/compat/index.js';
import type { Lock, Sent } from '../contracts/lock/index.js';
import { fingerprint } from '../validate/index.js';
import { UNNAMED } from './facts.js';
import { servedVersions, withTheirDialects } from './revisions.js';

export interface PromisedOptions {
  /** Results are the same for the same seed, tool and arguments. */
  readonly seed: number;
  /** Serves the revision of the lock alone. */
  readonly isStrict: boolean;
  readonly onProblem: (error: unknown) => void;
}

/** What a lock says something about. */
const PROMISED: ReadonlySet<string> = new Set([
  METHODS.toolsList,
  METHODS.promptsList,
  METHODS.resourcesList,
  METHODS.resourcesTemplatesList,
  METHODS.toolsCall,
  METHODS.promptsGet,
  METHODS.resourcesRead,
  METHODS.completionComplete,
]);

export function isPromised(method: string): boolean {
  return PROMISED.has(method);
}

/** Milliseconds between polls of a task. */
const POLL_MS = 100;

/**
 * A server of the runtime that serves what a lock lists, with results that the output schemas accept.
 *
 * @throws {TypeError} for an entry of the lock that no server can list.
 */
export function serverOf(lock: Lock, options: PromisedOptions): Promise<TaskServer> {
  const { isStrict, seed, onProblem } = options;
  const { capabilities, instructions, server = {} } = lock;
  const text = (key: keyof typeof UNNAMED): string =>
    typeof server[key] === 'string' ? server[key] : UNNAMED[key];
  const completes = capabilities['completions'] !== undefined;
  return createTaskServer({
    name: text('name'),
    version: text('version'),
    ...(typeof server['title'] === 'string' && { title: server['title'] }),
    ...(instructions !== undefined && { instructions }),
    tools: lock.tools.map((each) => toolOf(each, seed)),
    prompts: lock.prompts.map((each) => promptOf(each, completes)),
    resources: [...lock.resources.map(resourceOf), ...lock.resourceTemplates.map(templateOf)],
    logging: capabilities['logging'] !== undefined,
    revisions: withTheirDialects(servedVersions([lock.revision], isStrict)),
    pollInterval: POLL_MS,
    onError: onProblem,
  });
}

/** It is listed as the lock has it. */
function toolOf(entry: Sent, seed: number): ServerTool {
  const name = textIn(entry, 'name');
  const { execution, ...listing } = entry;
  const support = member(execution, 'taskSupport');
  const output = readable(entry['outputSchema'], 'output');
  let values: readonly unknown[] | undefined;
  const tool = defineTool({
    name: 'tool',
    description: '',
    input: readable(entry['inputSchema'], 'input') ?? OBJECT,
    ...(output && { output }),
    taskSupport: support === 'optional' || support === 'required' ? support : 'forbidden',
    retryable: true,
    run({ args }) {
      if (output === undefined) return unchecked(entry) as never;
      values ??= acceptedValues(output as Sent);
      const place = (fingerprint([seed, name, args]) >>> 0) % values.length;
      return (values.length > 0 ? values[place] : noValue(name)) as never;
    },
  });
  const { outputSchema } = tool.listing;
  const inSessions = tool.wrapsResults ? { ...listing, outputSchema } : listing;
  return { ...tool, name, listing: inSessions as never, extListing: listing as never };
}

/** A schema that values can be checked with; others accept every value. */
function readable(schema: unknown, key: 'input' | 'output'): JsonSchema | undefined {
  if (!isObject(schema) || typeof valueCheck(schema as Sent) === 'string') return undefined;
  const own = schema as JsonSchema;
  try {
    defineTool({ name: 'tool', description: '', input: OBJECT, [key]: own, run: never });
    return own;
  } catch {
    return undefined;
  }
}

const OBJECT = { type: 'object' } as JsonSchema;

function never(): never {
  throw new Error('This tool is only defined');
}

function noValue(tool: string): never {
  const what = `No result could be generated from the outputSchema of the tool ${quote(tool)}`;
  throw rpcError(ERROR_CODES.InternalError, `${what}: no value was found that it accepts`);
}

/** The result of a tool without a schema that could check it. */
function unchecked(tool: Sent): ToolOutput {
  const text = `This is a generated result of the tool ${textIn(tool, 'name')}.`;
  const hasSchema = tool['outputSchema'] !== undefined;
  return { content: [{ type: 'text', text }], ...(hasSchema && { structuredContent: {} }) };
}

function promptOf(entry: Sent, completes: boolean): ServerPrompt {
  const name = textIn(entry, 'name');
  const declared = Array.isArray(entry['arguments']) ? (entry['arguments'] as unknown[]) : [];
  const nameOf = (each: unknown): string => String(member(each, 'name'));
  const required = declared.filter((each) => member(each, 'required') === true).map(nameOf);
  const prompt = definePrompt({
    name,
    get: () => `This is a generated message of the prompt ${name}.`,
  });
  return {
    ...prompt,
    features: completes ? [...prompt.features, COMPLETIONS] : prompt.features,
    listing: entry as never,
    argumentNames: declared.map(nameOf),
    get(request) {
      const missing = required.filter((each) => at(request.args, [each]) === undefined);
      if (missing.length === 0) return prompt.get(request);
      throw rpcError(ERROR_CODES.InvalidParams, `Missing arguments: ${missing.join(', ')}`);
    },
  };
}

function resourceOf(entry: Sent): ServerResource {
  const [name, uri] = [textIn(entry, 'name'), textIn(entry, 'uri')];
  const resource = defineResource({
    name,
    uri: 'mock:resource',
    read: () => contentOf(entry, uri),
  });
  return { ...resource, uri, listing: entry as never };
}

/** One whose form cannot be read has no resources. */
function templateOf(entry: Sent): ServerResource {
  const name = textIn(entry, 'name');
  const defined = (uriTemplate: string) =>
    defineResourceTemplate({ name, uriTemplate, read: ({ uri }) => contentOf(entry, uri) });
  const listing = entry as never;
  try {
    return { ...defined(textIn(entry, 'uriTemplate')), listing };
  } catch {
    const template = { names: [], match: () => undefined };
    return { ...defined('mock:{resource}'), listing, template };
  }
}

function contentOf({ mimeType }: Sent, uri: string): ResourceOutput {
  const type = typeof mimeType === 'string' ? mimeType : 'text/plain';
  return { uri, mimeType: type, text: `This is a generated content of ${uri}.` };
}

function textIn(entry: Sent, key: string): string {
  const value = entry[key];
  return typeof value === 'string' ? value : '';
}
