import { rpcError } from '../../runtime/peer/index.js';
import { ERROR_CODES, METHODS, type RevisionVersion } from '../../runtime/protocol.js';
import { at, member } from '../../runtime/peer/wire/json.js';
import { COMPLETIONS } from '../../runtime/server/features/completions.js';
import {
  createTaskServer,
  definePrompt,
  defineResource,
  defineResourceTemplate,
  defineTool,
  type ServerPrompt,
  type ServerResource,
  type ServerTool,
  type TaskServer,
} from '../../runtime/server/index.js';
import { acceptedValues } from '../lock/compat/index.js';
import type { Sent } from '../lock/index.js';
import { fingerprint } from '../validate/index.js';
import { UNNAMED } from './facts.js';
import { contentOf, noValue, OBJECT, readable, textIn, unchecked } from './generated.js';
import type { Offer } from './offer.js';
import { withTheirDialects } from './revisions.js';
import { handlerStage, type Translated } from './translated.js';

export interface ServerOptions {
  /** Results are the same for the same seed, tool and arguments. */
  readonly seed: number;
  readonly versions: readonly RevisionVersion[];
  /** What plays a recording. */
  readonly translated: Translated | undefined;
  readonly onProblem: (error: unknown) => void;
}

/** The argument that names the exchange of a call. Each process has one of its own, which no client knows. */
export const PLAYED = `exchange-${crypto.randomUUID()}`;
/** How many questions were answered in earlier rounds, by the `_meta` of the request. */
export const ANSWERED = new WeakMap<object, number>();

/** Milliseconds between polls of a task. */
const POLL_MS = 100;

/**
 * A server of the runtime that serves an offer: calls that were recorded are played, and other results are drawn from the
 * output schemas.
 *
 * @throws {TypeError} for an entry of a lock that no server can list.
 */
export function serverOf(offer: Offer, options: ServerOptions): Promise<TaskServer> {
  const { serverInfo, capabilities, instructions } = offer.facts;
  const text = (key: keyof typeof UNNAMED): string =>
    typeof serverInfo[key] === 'string' ? serverInfo[key] : UNNAMED[key];
  const completing = capabilities['completions'] === undefined ? [] : [COMPLETIONS];
  const { title } = serverInfo;
  return createTaskServer({
    name: text('name'),
    version: text('version'),
    ...(typeof title === 'string' && { title }),
    ...(instructions !== undefined && { instructions }),
    tools: offer.tools.map((each) => toolOf(each, options)),
    prompts: offer.prompts.map((each) => promptOf(each, completing)),
    resources: [
      ...offer.resources.map(resourceOf),
      ...offer.resourceTemplates.map((each) => templateOf(each, completing)),
    ],
    logging: capabilities['logging'] !== undefined,
    revisions: withTheirDialects(options.versions),
    pollInterval: POLL_MS,
    onError(error) {
      // The client has closed its end, which is no problem of the mock.
      if (member(error, 'code') !== 'EPIPE') options.onProblem(error);
    },
  });
}

// Definitions are listed as the entries of the offer.

function toolOf(entry: Sent, { seed, translated }: ServerOptions): ServerTool {
  const name = textIn(entry, 'name');
  const { execution, ...listing } = entry;
  const support = member(execution, 'taskSupport');
  const listed = support === 'optional' || support === 'required' ? support : 'forbidden';
  const output = readable(entry['outputSchema'], 'output');
  let values: readonly unknown[] | undefined;
  const tool = defineTool({
    name: 'tool',
    description: '',
    input: readable(entry['inputSchema'], 'input') ?? OBJECT,
    ...(output && { output }),
    taskSupport: translated?.taskSupport(name, support) ?? listed,
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
  return {
    ...tool,
    name,
    listing: inSessions as never,
    extListing: listing as never,
    validationError: (args) =>
      playedIn(args) === undefined ? tool.validationError(args) : Promise.resolve(undefined),
    run(call) {
      const exchange = playedIn(call.args);
      if (exchange === undefined || translated === undefined) return tool.run(call);
      const { task, request } = call;
      const answered = request && ANSWERED.get(request.meta);
      return translated.result(exchange, handlerStage(task, answered ?? 0));
    },
  };
}

function playedIn(args: unknown): number | undefined {
  const exchange = member(args, PLAYED);
  return typeof exchange === 'number' ? exchange : undefined;
}

type Completing = readonly (typeof COMPLETIONS)[];

function promptOf(entry: Sent, completing: Completing): ServerPrompt {
  const name = textIn(entry, 'name');
  const declared = Array.isArray(entry['arguments']) ? (entry['arguments'] as unknown[]) : [];
  const nameOf = (each: unknown): string => String(member(each, 'name'));
  const required = declared.filter((each) => member(each, 'required') === true).map(nameOf);
  const text = `This is a generated message of the prompt ${name}.`;
  const prompt = definePrompt({ name, get: () => text });
  return {
    ...prompt,
    features: [...prompt.features, ...completing],
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
  const read = () => contentOf(entry, uri);
  const resource = defineResource({ name, uri: 'mock:resource', read });
  return { ...resource, uri, listing: entry as never };
}

/** One whose form cannot be read has no resources. */
function templateOf(entry: Sent, completing: Completing): ServerResource {
  const [name, uriTemplate] = [textIn(entry, 'name'), textIn(entry, 'uriTemplate')];
  const defined = (form: string) => {
    const read = ({ uri }: { uri: string }) => contentOf(entry, uri);
    const template = defineResourceTemplate({ name, uriTemplate: form, read });
    const features = [...template.features, ...completing];
    return { ...template, features, uriTemplate, listing: entry as never };
  };
  try {
    return defined(uriTemplate);
  } catch {
    return { ...defined('mock:{resource}'), template: { names: [], match: () => undefined } };
  }
}

/** What an offer says something about. */
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
