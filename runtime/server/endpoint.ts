/**
 * What the parts of a server give each other: what is served at an endpoint, how the dialects of tasks serve it, and what
 * authors offer. Each definition brings the features that serve it, so that a bundle of a server without resources has
 * no code for them.
 */

import type * as protocol from '../../generated/2025-11-25/types.js';
import type { Revision, ServedRevisions } from '../peer/wire/revision.js';
import type { Change, Changes } from './features/changes.js';
import type { InputRequiredResult } from '../../generated/2026-07-28/types.js';
import type {
  Abort,
  Caller,
  CallerIdentity,
  Dialect,
  JsonObject,
  Slot,
  TaskEngine,
} from '../tasks/index.js';
import type { METHODS, RevisionVersion } from '../protocol.js';
import type { ParamsIn, ResultIn, Frozen } from '../peer/wire/messages.js';
import { type PeerOptions, ProtocolError } from '../peer/index.js';
import type { OpenSessions } from '../transport/index.js';
import type { AskClient, Asking } from './asks.js';
import type { ServedTasks, ServerCapabilities } from './capabilities.js';
import {
  elicitBy,
  type HandlerRequest,
  type Questions,
  RequestContext,
  type Round,
  sampleBy,
} from './controls.js';
import type { ServerExchange, ServerRows, Session, FeatureRows } from './session.js';
import type { ListedTool, ServerTool } from './tool.js';
import type { Completers, UriTemplate } from './definitions/index.js';
import { INVALID_PARAMS } from './errors.js';

/** What a server serves, wherever it is reached. */
export interface ServerParts extends Offered {
  readonly serverInfo: protocol.Implementation;
  readonly instructions: string | undefined;
  readonly tools: ReadonlyMap<string, ServerTool>;
  /** Whether the server sends log messages. */
  readonly logging: boolean;
  readonly pageSize: number | undefined;
  readonly revisions: ServedRevisions;
  readonly engine: TaskEngine;
  /** The store's, which all processes of a server share. */
  readonly secret: Uint8Array;
  readonly changes: Changes;
  /** For clients that declare no tasks. */
  readonly taskTools?: TaskToolsMaker | undefined;
  readonly onError: (error: unknown) => void;
}

/** What is served at one endpoint to the clients of one dialect: rows of methods are made with it. */
export interface Endpoint extends ServerParts {
  readonly dialect: TaskDialect;
  /** What is declared about tasks, and so served. */
  readonly serves: ServedTasks;
  /** The versions of the dialect that clients may speak, newest first. */
  readonly versions: readonly RevisionVersion[];
  /** What is declared in a revision. */
  readonly capabilitiesIn: (revision: Revision) => ServerCapabilities;
  readonly callerOf: (exchange: ServerExchange) => Caller;
  readonly identityOf: (exchange: ServerExchange) => CallerIdentity | undefined;
  readonly askingOf: (exchange: ServerExchange) => Asking;
  /**
   * Runs `work` with a function that asks the client. Resolves with the answer to the request: the result of `work`, or
   * questions. `request` tells it from others when it comes again with answers.
   */
  readonly questions: <R extends object>(
    exchange: ServerExchange,
    params: Round,
    request: unknown,
    work: (ask: AskClient) => Promise<R>,
  ) => Promise<R | InputRequiredResult>;
  /** `subscriptions/listen` requests that are open at a time. Default 10,000. */
  readonly maxSubscriptions: number | undefined;
  /** Follows changes of a guest for a request, until the function that it returns is called. */
  readonly follow:
    | ((
        exchange: ServerExchange,
        wanted: { readonly methods: ReadonlySet<string>; readonly uris: ReadonlySet<string> },
        onChange: (change: Change) => void,
      ) => () => void)
    | undefined;
  /** Aborted when the endpoint closes: then open requests are answered. */
  readonly closing: Abort;
}

export function handlerRequest(
  { identityOf, logging }: Endpoint,
  exchange: ServerExchange,
): HandlerRequest {
  return { caller: identityOf(exchange), request: new RequestContext(exchange, logging) };
}

/** What a handler gets, with something of its own. */
export function askingRequest<M extends object>(
  { identityOf, logging }: Endpoint,
  exchange: ServerExchange,
  ask: AskClient,
  more: M,
): HandlerRequest & Questions & M {
  const request: HandlerRequest & Questions = {
    caller: identityOf(exchange),
    request: new RequestContext(exchange, logging),
    elicit: elicitBy(ask),
    sample: sampleBy(ask),
    input: ask,
  };
  return Object.assign(request, more);
}

/** All that belongs to one dialect. A bundle contains the dialects of the revisions that its author names. */
export interface DialectModule {
  readonly name: Dialect;
  readonly serve: (endpoint: Omit<Endpoint, 'dialect'>) => TaskDialect;
  /** Methods that the other dialect does not have, beside those about tasks. */
  readonly rows: (endpoint: Endpoint) => ServerRows;
  /** Completes a result for its client. */
  readonly complete: (
    result: JsonObject,
    exchange: ServerExchange,
    serverInfo: protocol.Implementation,
  ) => JsonObject;
  /** The params of a message to a client, without what its revision does not have. */
  readonly degraded?: PeerOptions<unknown>['degraded'];
  /** In the dialect that has sessions. */
  readonly sessions?: {
    readonly make: (...parts: ConstructorParameters<typeof Session>) => Session;
    /** Serves them over HTTP. */
    readonly open: OpenSessions;
  };
}

/**
 * How a server and its clients speak about tasks: `core` in sessions of revisions with tasks of their own, `ext` in
 * requests of the tasks extension. `core.ts` and `ext.ts` implement it, function by function.
 */
export interface TaskDialect {
  readonly name: Dialect;
  /** The `tasks/*` methods. */
  readonly rows: ServerRows;
  /** Whether a call becomes a task. Throws for a call that has to be a task, or must not be one. */
  becomesTask(call: ToolCallRequest): boolean;
  /**
   * Runs `work` with a function that asks the client. Resolves with the answer to the request: the result of
   * `work`, or questions that come first. With a `slot`, others get the slot while the client answers.
   */
  withQuestions<R extends object>(
    asked: Questioned,
    slot: Slot | undefined,
    work: (ask: AskClient) => Promise<R>,
  ): Promise<R | InputRequiredResult>;
  /**
   * What the tool's `run` may ask in a plain call; `prepare` may ask with `ask`. Throws when the tool says
   * that it asks and this call cannot carry questions.
   */
  questionsOfRun(call: ToolCallRequest, ask: AskClient): AskClient;
  /** Makes a task of the call, and resolves with the answer to the call. */
  createTask(call: ToolCallRequest, stored: StoredCall): Promise<CallAnswer>;
}

export type CallParams = ParamsIn<RevisionVersion, typeof METHODS.toolsCall>;
export type CallAnswer = ResultIn<RevisionVersion, typeof METHODS.toolsCall>;

/** A request whose handler may ask its client. */
export interface Questioned {
  readonly exchange: ServerExchange;
  readonly params: Round;
  readonly caller: Caller;
  /** Read when something is asked, which most requests never do. */
  readonly asking: () => Asking;
  /** What tells the request from others, however often the client sends it again with answers. */
  readonly request: unknown;
}

/** A `tools/call`, and who makes it. */
export interface ToolCallRequest extends Questioned {
  readonly tool: ServerTool;
  readonly params: CallParams;
  readonly identity: CallerIdentity | undefined;
  readonly context: RequestContext;
}

/** What a task keeps for its handler; whom it may ask is the client that created it. */
export interface StoredCall extends Asking {
  readonly arguments: unknown;
  /** Why the arguments cannot be used: the task ends with it, and the tool does not run. */
  readonly refused?: string;
}

/** A part of the protocol that a server serves where something needs it. */
interface AnyFeature {
  readonly capabilities: JsonObject;
  readonly rows: (endpoint: Endpoint) => ServerRows;
}

/** What is declared has all its rows, in every revision that has it. */
export interface Feature<F extends string> extends AnyFeature {
  readonly capabilities: Readonly<Record<F, JsonObject>>;
  readonly rows: (endpoint: Endpoint) => FeatureRows<F>;
}

export interface Offered {
  readonly resources: readonly ServerResource[];
  readonly prompts: readonly ServerPrompt[];
}

/** The features that serve what is offered. */
export function featuresIn({ resources, prompts }: Offered): ReadonlySet<AnyFeature> {
  return new Set([...prompts, ...resources].flatMap(({ features }) => features));
}

/** No resource has this URI. Throw it in `read`, or return undefined. */
export class ResourceNotFound extends ProtocolError {
  constructor(uri: string) {
    super(INVALID_PARAMS, `Unknown resource ${JSON.stringify(uri.slice(0, 200))}`, { uri });
  }
}

export interface ReadRequest extends HandlerRequest, Questions {
  readonly uri: string;
}

interface Resource {
  readonly features: readonly AnyFeature[];
  readonly name: string;
  /** Those that the caller's token needs. */
  readonly scopes: readonly string[];
}

/** One resource, as the server sees it. */
export interface FixedResource extends Resource {
  readonly kind: 'resource';
  readonly uri: string;
  /** As clients get it. */
  readonly listing: Frozen<protocol.Resource>;
  readonly read: (request: ReadRequest) => Promise<Frozen<protocol.ReadResourceResult>>;
}

/** The resources of a template, as the server sees them. */
export interface ResourceTemplate<V = never> extends Resource {
  readonly kind: 'template';
  readonly uriTemplate: string;
  /** As clients get it. */
  readonly listing: Frozen<protocol.ResourceTemplate>;
  readonly template: Pick<UriTemplate<unknown>, 'match' | 'names'>;
  /** The URI of a resource, for `server.notify.resourceUpdated`. */
  readonly uri: (variables: V) => string;
  readonly list:
    ((request: HandlerRequest) => Promise<readonly Frozen<protocol.Resource>[]>) | undefined;
  readonly completers: Completers;
  /** Gets what `template.match` found. */
  readonly read: (
    request: ReadRequest,
    variables: unknown,
  ) => Promise<Frozen<protocol.ReadResourceResult>>;
}

export type ServerResource = FixedResource | ResourceTemplate;

export interface GetRequest<Args> extends HandlerRequest, Questions {
  /** The arguments as the schema parsed them. */
  readonly args: Args;
}

/** A prompt of any arguments, as the server sees it. */
export interface ServerPrompt {
  readonly features: readonly AnyFeature[];
  readonly name: string;
  /** Those that the caller's token needs. */
  readonly scopes: readonly string[];
  /** As clients get it. */
  readonly listing: Frozen<protocol.Prompt>;
  readonly argumentNames: readonly string[];
  readonly completers: Completers;
  /** Gets unchecked arguments. Rejects with `-32602` for those that the schema refuses. */
  readonly get: (request: GetRequest<unknown>) => Promise<Frozen<protocol.GetPromptResult>>;
}

/** Makes the tools for tasks of a server. */
export interface TaskToolsMaker {
  readonly names: ReadonlySet<string>;
  /** Those of a dialect. `servesTasks`: whether its clients may have tasks of their own. */
  readonly make: (engine: TaskEngine, dialect: Dialect, servesTasks: boolean) => TaskTools;
}

/** Tasks for clients that know none, as tools. */
export interface TaskTools {
  /** Whether the client of a request has no tasks: it declares none, or none that are served to it. */
  readonly serves: (exchange: ServerExchange) => boolean;
  /** The tools that such a client sees; with `execution` in revisions that have it. */
  readonly listings: (withSupport: boolean) => readonly ListedTool[];
  /** Whether a call becomes a task behind a result that names it. */
  readonly takes: (call: ToolCallRequest) => boolean;
  /** What such a task may ask: what a model can answer for its user. */
  readonly asking: (asking: Asking) => Asking;
  /** Makes a task of a call. Resolves with its result, or with what names it when it lasts. */
  readonly call: (
    call: ToolCallRequest,
    stored: StoredCall,
  ) => Promise<Frozen<protocol.CallToolResult>>;
  /** Calls one of the tools for tasks; undefined for other names. */
  readonly own: (
    name: string,
    args: unknown,
    caller: Caller,
    exchange: ServerExchange,
  ) => Promise<Frozen<protocol.CallToolResult>> | undefined;
}
