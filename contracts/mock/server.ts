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
  type ReadRequest,
  type ResourceOutput,
  type ServerPrompt,
  type ServerResource,
  type ServerTool,
  type TaskServer,
  type TaskSupport,
} from '../../runtime/server/index.js';
import { acceptedValues } from '../lock/compat/index.js';
import type { Sent } from '../lock/index.js';
import type { JsonObject } from '../../runtime/tasks/index.js';
import { fingerprint } from '../validate/index.js';
import { UNNAMED } from './facts.js';
import { contentOf, never, noValue, OBJECT, readable, textIn, unchecked } from './generated.js';
import type { Offer } from './offer.js';
import { withTheirDialects } from './revisions.js';
import { type Controls, handlerStage, type Translated } from './translated.js';

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

/** Milliseconds between polls of a task. */
const POLL_MS = 100;

/**
 * A server of the runtime that serves an offer: what was recorded is played, and other results are drawn from the output
 * schemas.
 *
 * @throws {TypeError} for an entry of a lock that no server can list.
 */
export function serverOf(offer: Offer, options: ServerOptions): Promise<TaskServer> {
  const { versions, onProblem } = options;
  const { serverInfo, capabilities, instructions } = offer.facts;
  const text = (key: keyof typeof UNNAMED): string =>
    typeof serverInfo[key] === 'string' ? serverInfo[key] : UNNAMED[key];
  const make = new Making(options, capabilities['completions'] !== undefined);
  const { title } = serverInfo;
  return createTaskServer({
    name: text('name'),
    version: text('version'),
    ...(typeof title === 'string' && { title }),
    ...(instructions !== undefined && { instructions }),
    tools: offer.tools.map((each) => make.tool(each, offer.locked.has(each))),
    prompts: offer.prompts.map((each) => make.prompt(each)),
    resources: [
      ...offer.resources.map((each) => make.resource(each)),
      ...offer.resourceTemplates.map((each) => make.template(each)),
    ],
    logging: capabilities['logging'] !== undefined,
    revisions: withTheirDialects(versions),
    pollInterval: POLL_MS,
    onError(error) {
      // The client has closed its end, which is no problem of the mock.
      if (member(error, 'code') !== 'EPIPE') onProblem(error);
    },
  });
}

/** Makes definitions, which are listed as the entries of the offer. */
class Making {
  readonly #options: ServerOptions;
  readonly #completes: boolean;

  constructor(options: ServerOptions, completes: boolean) {
    this.#options = options;
    this.#completes = completes;
  }

  tool(entry: Sent, isLocked: boolean): ServerTool {
    const { seed, translated } = this.#options;
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
      taskSupport: translated?.taskSupport(name, support) ?? supportIn(support),
      retryable: true,
      run({ args }) {
        if (!isLocked) {
          return translated?.refuse({
            method: METHODS.toolsCall,
            params: { name, arguments: args },
          }) as never;
        }
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
        const stage = handlerStage({
          input: task.input,
          progress: (each) => task.progress(each),
          signal: task.signal,
          ...(answered !== undefined && { answered }),
        });
        return translated.result(exchange, stage);
      },
    };
  }

  prompt(entry: Sent): ServerPrompt {
    const name = textIn(entry, 'name');
    const declared = Array.isArray(entry['arguments']) ? (entry['arguments'] as unknown[]) : [];
    const nameOf = (each: unknown): string => String(member(each, 'name'));
    const required = declared.filter((each) => member(each, 'required') === true).map(nameOf);
    const names = declared.map(nameOf);
    const text = `This is a generated message of the prompt ${name}.`;
    const prompt = definePrompt({ name, get: () => text });
    return {
      ...prompt,
      ...this.#completing({ type: 'ref/prompt', name }, names, prompt.features),
      listing: entry as never,
      argumentNames: names,
      get: (request) => {
        const { args } = request;
        const params = { name, ...(args !== undefined && { arguments: args }) };
        return this.#played(METHODS.promptsGet, params, request, () => {
          const missing = required.filter((each) => at(args, [each]) === undefined);
          if (missing.length === 0) return prompt.get(request);
          throw rpcError(ERROR_CODES.InvalidParams, `Missing arguments: ${missing.join(', ')}`);
        });
      },
    };
  }

  resource(entry: Sent): ServerResource {
    const [name, uri] = [textIn(entry, 'name'), textIn(entry, 'uri')];
    const read = (): ResourceOutput => contentOf(entry, uri);
    const resource = defineResource({ name, uri: 'mock:resource', read });
    return {
      ...resource,
      uri,
      listing: entry as never,
      read: (request: ReadRequest) =>
        this.#played(METHODS.resourcesRead, { uri }, request, () => resource.read(request)),
    };
  }

  /** One whose form cannot be read has no resources. */
  template(entry: Sent): ServerResource {
    const name = textIn(entry, 'name');
    const uriTemplate = textIn(entry, 'uriTemplate');
    const defined = (form: string) => {
      const template = defineResourceTemplate({
        name,
        uriTemplate: form,
        read: ({ uri }) => contentOf(entry, uri),
      });
      const { names } = template.template;
      const ref = { type: 'ref/resource', uri: uriTemplate };
      return {
        ...template,
        ...this.#completing(ref, names, template.features),
        uriTemplate,
        listing: entry as never,
        read: (request: ReadRequest, variables: unknown) =>
          this.#played(METHODS.resourcesRead, { uri: request.uri }, request, () =>
            template.read(request, variables),
          ),
      };
    };
    try {
      return defined(uriTemplate);
    } catch {
      return { ...defined('mock:{resource}'), template: { names: [], match: () => undefined } };
    }
  }

  /** What was recorded, else what is generated. */
  #played<R>(
    method: string,
    params: JsonObject,
    { input }: Controls,
    generated: () => Promise<R>,
  ): Promise<R> {
    const { translated } = this.#options;
    const exchange = translated?.find({ method, params });
    if (translated === undefined || exchange === undefined) return generated();
    return translated.result(exchange, handlerStage({ input })) as Promise<R>;
  }

  #completing(ref: JsonObject, names: readonly string[], features: ServerPrompt['features']) {
    if (!this.#completes) return { features, completers: new Map<string, never>() };
    const completer =
      (name: string) =>
      async (value: string, { args, variables }: Completing) => {
        const known = args ?? variables ?? {};
        const context = Object.keys(known).length > 0 && { context: { arguments: known } };
        const params = { ref, argument: { name, value }, ...context };
        const input = (): never => never();
        const result = await this.#played(METHODS.completionComplete, params, { input }, () =>
          Promise.resolve({ completion: { values: [] } }),
        );
        return result.completion;
      };
    const completers = new Map(names.map((each) => [each, completer(each)]));
    return { features: [...features, COMPLETIONS], completers };
  }
}

/** What a completer gets of the values that are settled. */
interface Completing {
  readonly args?: JsonObject;
  readonly variables?: JsonObject;
}

function playedIn(args: unknown): number | undefined {
  const exchange = member(args, PLAYED);
  return typeof exchange === 'number' ? exchange : undefined;
}

function supportIn(support: unknown): TaskSupport {
  return support === 'optional' || support === 'required' ? support : 'forbidden';
}
