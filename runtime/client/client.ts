import { METHODS, type RevisionVersion, META_KEYS } from '../protocol/index.js';
import { methodsOf } from '../peer/index.js';
import type { JsonObject, Progress } from '../tasks/index.js';
import { createOperations } from '../telemetry/index.js';
import { at, isObject } from '../wire/json.js';
import { type CallRequest, sendCall } from './calls.js';
import {
  capabilitiesFor,
  declaredHandlers,
  type DeclaredCapabilities,
  declaresExtension,
  onlyDeclared,
} from './capabilities.js';
import { type Change, createChanges, type Wanted } from './changes.js';
import { get } from './core.js';
import { asCallError, callError, invalidAnswer, withMessage } from './errors.js';
import { createFollowing } from './follow.js';
import { answeredHandle } from './handle.js';
import { createInputRequests, inputHandlerOf } from './input-requests.js';
import { type ClientLimits, completeLimits } from './limits.js';
import { type ClientInfo, Link, listed } from './link.js';
import { createListener } from './listen.js';
import { pause } from './pacing.js';
import { createProgressTokens, increasing } from './progress.js';
import { type CallInputs, inputRouter, questionRows } from './questions.js';
import type { Receiver, ReceiverOptions } from './receiver.js';
import { parseReference } from './reference.js';
import type { ClientMethod, NoticeOf, NotificationName, ParamsOf, ResultOf } from './requests.js';
import { spokenVersions } from './revisions.js';
import { roundTrips } from './round-trips.js';
import { createSchemaChecker } from './schemas.js';
import type { WebWorker } from './schema-worker.js';
import type { Session } from './session.js';
import { createStatuses, type TaskStatusHandlers } from './statuses.js';
import { createStop } from './stop.js';
import { createSubscriptions } from './subscriptions.js';
import { createToolListing, type Tool } from './tools.js';
import type { ClientTransport } from './transport.js';
import type {
  CallHandle,
  CallOptions,
  FollowOptions,
  InputHandler,
  InputHandlers,
  TaskState,
  ToolResult,
} from './types.js';

export interface TaskClientOptions<V extends RevisionVersion = RevisionVersion> extends ClientInfo {
  /** The revisions to offer. Default: all. `createTaskClient<'2025-11-25'>` has the types of the named ones alone. */
  readonly revisions?: readonly NoInfer<V>[];
  /**
   * The capabilities that the client declares. Each needs a handler in `answer`; the client refuses
   * requests of other kinds. Default: what `answer` and `receiver` can serve, and the tasks extension.
   */
  readonly capabilities?: DeclaredCapabilities;
  /** The handlers of the server's input requests. */
  readonly answer?: InputHandlers;
  /**
   * Lets the server send sampling and elicitation as tasks, in the core dialect. Default: the default
   * options when `capabilities` declares `tasks`, else off.
   */
  readonly receiver?: ReceiverOptions;
  /** Handlers of task status notifications. Calls do not need them. */
  readonly statusHandlers?: TaskStatusHandlers;
  readonly limits?: Partial<ClientLimits>;
  /** Makes the Web Worker that checks results against output schemas, where a bundler adds none by itself. */
  readonly schemaWorker?: () => WebWorker;
  /** Gets errors that belong to no call: invalid notifications, errors of listeners. */
  readonly onError?: (error: Error) => void;
}

/** Ends of the message when the caller stops a call before the server has answered it. */
const UNSENT = 'it had not been sent, so there is no task';
const UNANSWERED =
  'the server had not answered and may still create a task; ' +
  'this client cancels that task if the answer arrives before the connection closes';

/** Milliseconds that `close` waits for the last notifications. */
const CLOSE_PATIENCE = 1_000;

export interface TaskConnectOptions {
  /** Continues an earlier session. The transport needs its id. */
  readonly session?: Session;
  /** Milliseconds for each request of the handshake. Default: 60,000. */
  readonly timeout?: number;
}

export interface RequestOptions {
  /** Aborting it withdraws the request. */
  readonly signal?: AbortSignal;
  /** Milliseconds for each answer. Default: the limit `requestTimeout`. */
  readonly timeout?: number;
  readonly onProgress?: (progress: Progress) => void;
  /** Answers the input requests before the result instead of the client's `answer`. */
  readonly onInput?: InputHandler;
  /** For the request's `_meta`. */
  readonly meta?: JsonObject;
}

/** The server, as it presents itself. Empty before the client connects. */
export interface ServerFacts {
  readonly info?: { readonly name: string; readonly version: string; readonly title?: string };
  readonly capabilities: JsonObject;
  readonly instructions?: string;
}

/**
 * Calls a server of any revision: its tools, as plain calls or as tasks of either dialect, and everything else. All
 * methods reject with a `CallError`.
 */
export interface TaskClient<V extends RevisionVersion = RevisionVersion> {
  /** Opens the connection and agrees on a revision. To reconnect, call it again with a new transport. */
  connect(transport: ClientTransport, options?: TaskConnectOptions): Promise<void>;
  /** The revision of the connection. */
  readonly revision: V | undefined;
  readonly server: ServerFacts;
  /** The session of the connection, if it has one. Tasks that are bound to it need it for `resume`. */
  readonly session: Session | undefined;
  /**
   * Sends a request, and answers the server's input requests that precede its result. Calls of tools that may become
   * tasks are made by `call`.
   */
  request<M extends ClientMethod<V>>(
    method: M,
    params?: ParamsOf<V, M>,
    options?: RequestOptions,
  ): Promise<ResultOf<V, M>>;
  notify(method: string, params?: JsonObject): Promise<void>;
  /** Calls a tool. Resolves with its result, for a task when the task has ended. */
  call(tool: string, args?: JsonObject, options?: CallOptions): Promise<ToolResult>;
  /** Calls a tool. Resolves with a handle as soon as the server has answered or created a task. */
  start(tool: string, args?: JsonObject, options?: CallOptions): Promise<CallHandle>;
  /** Follows a task again, by the `reference` of its handle. */
  resume(reference: string, options?: FollowOptions): Promise<CallHandle>;
  /** The server's tools. The client keeps the list until the server announces a change. */
  tools(): Promise<readonly Tool[]>;
  /** All prompts; none where the server does not have any. */
  prompts(): Promise<ResultOf<V, typeof METHODS.promptsList>['prompts']>;
  prompt(
    name: string,
    args?: Readonly<Record<string, string>>,
    options?: RequestOptions,
  ): Promise<ResultOf<V, typeof METHODS.promptsGet>>;
  /** All resources; none where the server does not have any. */
  resources(): Promise<ResultOf<V, typeof METHODS.resourcesList>['resources']>;
  resourceTemplates(): Promise<
    ResultOf<V, typeof METHODS.resourcesTemplatesList>['resourceTemplates']
  >;
  read(uri: string, options?: RequestOptions): Promise<ResultOf<V, typeof METHODS.resourcesRead>>;
  /** Values for the argument of a prompt or of a template. */
  complete(
    ref: { readonly prompt: string } | { readonly template: string },
    argument: { readonly name: string; readonly value: string },
    context?: Readonly<Record<string, string>>,
  ): Promise<readonly string[]>;
  /** Calls the listener with each change. */
  subscribe(
    wanted: Wanted,
    listener: (change: Change) => void,
  ): Promise<{ close(): Promise<void> }>;
  /** The least severe log messages that the server sends. They are `notifications/message`. */
  setLogLevel(level: LogLevel): Promise<void>;
  /** Calls the listener with each notification of a method. Returns a function that removes the listener. */
  onNotification<M extends NotificationName<V>>(
    method: M,
    listener: (params: NoticeOf<V, M>) => void,
  ): () => void;
  /**
   * Calls the listener with each status notification, of all tasks or of one. Returns a function that
   * removes the listener. Servers need not send any; calls do not depend on them.
   */
  onTaskStatus(listener: (state: TaskState) => void, taskId?: string): () => void;
  /**
   * Closes the connection and the receiver. Calls under way reject with `lost` and the references of
   * their tasks.
   */
  close(): Promise<void>;
}

/** By severity, as syslog has them. */
export type LogLevel =
  'debug' | 'info' | 'notice' | 'warning' | 'error' | 'critical' | 'alert' | 'emergency';

/**
 * A client of any server. `connect` connects it.
 *
 * Throws a TypeError for a declared capability without a handler, and a RangeError for an unknown revision or limit.
 */
export function createTaskClient<V extends RevisionVersion = RevisionVersion>(
  options: TaskClientOptions<V>,
): TaskClient<V> {
  const { answer: given = {}, name, version, title } = options;
  const capabilities =
    options.capabilities ?? capabilitiesFor(given, options.receiver !== undefined);
  const answer = declaredHandlers(capabilities, given);
  if (options.receiver && !capabilities.tasks) {
    throw new TypeError(
      'The option receiver needs the capability tasks: add tasks to capabilities',
    );
  }
  const limits = completeLimits(options.limits);
  const onError = options.onError ?? ((error: Error) => console.error(error.message));
  const onProblem = (error: unknown): void =>
    onError(error instanceof Error ? error : new Error(String(error)));
  const callInputs = new Map<string, CallInputs>();
  const defaultHandler = inputHandlerOf(answer);
  const route = inputRouter(defaultHandler, callInputs);
  let receiver: Receiver | undefined;
  const listeners = new Map<string, Set<(params: never) => void>>();
  const link: Link = new Link({
    info: { name, version, ...(title !== undefined && { title }) },
    capabilities,
    versions: spokenVersions(options.revisions),
    limits,
    operations: createOperations('client'),
    // Asked for when the server sends its first request, so after `connect` has made the receiver.
    methodsIn: remembered((revision) => {
      const rows = questionRows(answer, route, receiver);
      return methodsOf(revision, 'client', rows, capabilities as JsonObject);
    }),
    onNotification: notified,
    onClosed: disconnected,
    onProblem: onError,
  });
  const schemas = createSchemaChecker(limits.schemaTimeout, options.schemaWorker);
  const tools = createToolListing(link, schemas, onError);
  const statuses = createStatuses(onError, options.statusHandlers);
  const progress = createProgressTokens(onError);
  const listener = createListener(link);
  const subscriptions = createSubscriptions(listener);
  const changes = createChanges(link, listener, onProblem);
  const following = createFollowing({
    link,
    statuses,
    subscriptions,
    callInputs,
    tools,
    onProblem,
  });

  /** Loaded only for clients that run tasks. */
  async function receiverFor(tasks: DeclaredCapabilities['tasks']): Promise<Receiver | undefined> {
    if (tasks === undefined) return undefined;
    const { createReceiver } = await import('./receiver.js');
    return createReceiver(options.receiver ?? {}, {
      capabilities: tasks,
      answer: route,
      notify: ({ method, params }) => link.notify(method, params),
    });
  }

  function notified(method: string, params: JsonObject): void {
    if (method === METHODS.notificationsToolsListChanged) tools.forget();
    listener.receive(method, params);
    if (link.revision !== undefined) statuses.receive(link.revision, method, params);
    progress.receive(method, params);
    changes.receive(method, params);
    for (const each of listeners.get(method) ?? []) {
      try {
        each(params as never);
      } catch (error) {
        onProblem(error);
      }
    }
  }

  /** Cancels open `tasks/result` requests, because a server may send later input requests to them. */
  async function cancelPending(): Promise<void> {
    following.lose(undefined);
    const patience = new Promise<void>((resolve) => pause(CLOSE_PATIENCE, resolve));
    await Promise.race([Promise.allSettled(link.sending()), patience]);
  }

  function disconnected(problem: Error | undefined): void {
    tools.forget();
    subscriptions.close();
    receiver?.disconnected();
    following.lose(problem);
  }

  /** The handler of one call's input requests: its `onInput`, else the client's. */
  function callInputHandler({ onInput }: FollowOptions): InputHandler {
    if (onInput === undefined) return defaultHandler;
    // Without the option `capabilities`, `onInput` may answer every kind of request.
    return options.capabilities ? onlyDeclared(capabilities, onInput) : onInput;
  }

  /** Whether a call requests a task: the server and the tool support it, and the caller wants it. */
  async function augments(name: string, { asTask = true }: CallOptions): Promise<boolean> {
    if (link.dialect !== 'core' || !link.declares('tasks', 'requests', 'tools', 'call'))
      return false;
    const support = (await tools.find(name))?.execution?.taskSupport;
    return support === 'required' || (support === 'optional' && asTask);
  }

  async function start(
    tool: string,
    args: JsonObject = {},
    given: CallOptions = {},
  ): Promise<CallHandle> {
    const stop = createStop(given);
    const onProgress = given.onProgress && increasing(given.onProgress);
    const token = onProgress && progress.issue(onProgress);
    let taken = false;
    let sent = false;
    let answered = false;
    try {
      const augmented = await Promise.race([augments(tool, given), stop.reached]);
      const request: CallRequest = {
        name: tool,
        arguments: args,
        _meta: { ...given.meta, ...(token && { progressToken: token.token }) },
        ...(augmented && { task: given.ttl === undefined ? {} : { ttl: given.ttl } }),
      };
      const inputs = createInputRequests(callInputHandler(given), limits.inputRequests);
      const acceptsTasks = declaresExtension(capabilities);
      stop.signal.throwIfAborted();
      sent = true;
      const sender = { link, tools, acceptsTasks };
      const answer = await sendCall(sender, request, inputs, stop);
      answered = true;
      if ('result' in answer) {
        const { result } = answer;
        if (result.isError === true) return answeredHandle(result);
        return answeredHandle(await Promise.race([tools.checked(tool, result), stop.reached]));
      }
      taken = true;
      const handle = following.follow(
        { tool, state: answer.task, meta: answer.meta },
        { ...given, ...(onProgress && { onProgress }) },
        callInputHandler(given),
        stop,
      );
      const ended = (): void => token?.end();
      handle.result().then(ended, ended);
      return handle;
    } catch (error) {
      const failure = asCallError(error);
      if (answered || error !== stop.signal.reason) throw failure;
      throw withMessage(failure, `${failure.message}; ${sent ? UNANSWERED : UNSENT}`);
    } finally {
      if (!taken) {
        stop.release();
        token?.end();
      }
    }
  }

  async function request(
    method: string,
    params: JsonObject = {},
    given: RequestOptions = {},
  ): Promise<JsonObject> {
    const { timeout = limits.requestTimeout, onProgress, meta } = given;
    const stop = createStop({ ...(given.signal && { signal: given.signal }) });
    const token = onProgress && progress.issue(increasing(onProgress));
    const own = { ...meta, ...(token && { progressToken: token.token }) };
    const _meta = { ...(params['_meta'] as JsonObject | undefined), ...own };
    const inputs = createInputRequests(callInputHandler(given), limits.inputRequests);
    try {
      const answer = await roundTrips(
        (more) => {
          const all = { ...params, ...more, ...(Object.keys(_meta).length > 0 && { _meta }) };
          return link.request(method, all, { signal: stop.signal, timeout });
        },
        inputs,
        stop,
      );
      if (answer['resultType'] === 'task') {
        throw invalidAnswer(`The server answered ${method} with a task, which only call() follows`);
      }
      if (method === METHODS.toolsList) tools.remember(answer);
      return answer;
    } catch (error) {
      throw asCallError(error);
    } finally {
      stop.release();
      token?.end();
    }
  }

  /** A list of the server, or none where it does not declare the capability. */
  async function list(capability: string, method: string, member: string): Promise<never> {
    const entries = link.declares(capability) ? await listed(link, method, member) : [];
    return entries as never;
  }

  return {
    start,
    get revision() {
      return link.version as V | undefined;
    },
    get server() {
      return factsOf(link.server);
    },
    get session() {
      return link.session;
    },
    async connect(transport, connectOptions = {}) {
      receiver ??= await receiverFor(capabilities.tasks);
      await receiver?.open();
      await link.open(transport, connectOptions);
    },
    request: (method, params, requestOptions) =>
      request(method, params, requestOptions) as Promise<never>,
    notify: (method, params = {}) => link.notify(method, params),
    prompts: () => list('prompts', METHODS.promptsList, 'prompts'),
    prompt: (name, args = {}, requestOptions) =>
      request(METHODS.promptsGet, { name, arguments: args }, requestOptions) as Promise<never>,
    resources: () => list('resources', METHODS.resourcesList, 'resources'),
    resourceTemplates: () => list('resources', METHODS.resourcesTemplatesList, 'resourceTemplates'),
    read: (uri, requestOptions) =>
      request(METHODS.resourcesRead, { uri }, requestOptions) as Promise<never>,
    async complete(ref, argument, context) {
      const { completion } = await request(METHODS.completionComplete, {
        ref:
          'prompt' in ref
            ? { type: 'ref/prompt', name: ref.prompt }
            : { type: 'ref/resource', uri: ref.template },
        argument,
        ...(context && { context: { arguments: context } }),
      });
      return at(completion, ['values']) as readonly string[];
    },
    subscribe: (wanted, notify) => changes.subscribe(wanted, notify),
    async setLogLevel(level) {
      link.logLevel = level;
      if (link.dialect === 'core') await request(METHODS.loggingSetLevel, { level });
    },
    onNotification(method, notify) {
      const own = (params: never): void => notify(params);
      const all = listeners.get(method) ?? new Set();
      listeners.set(method, all.add(own));
      return () => void all.delete(own);
    },
    async call(tool, args, callOptions) {
      return (await start(tool, args, callOptions)).result();
    },
    async resume(text, followOptions = {}) {
      const { dialect, taskId, tool } = parseReference(text);
      if (dialect !== link.dialect) {
        throw callError(
          'invalid_reference',
          `The reference is for a task of the ${dialect} dialect; this connection uses ${link.dialect}`,
        );
      }
      const stop = createStop(followOptions);
      try {
        const { state, task } = await Promise.race([get(link, taskId, stop.signal), stop.reached]);
        const { onProgress } = followOptions;
        return following.follow(
          { tool, state, task },
          { ...followOptions, ...(onProgress && { onProgress: increasing(onProgress) }) },
          callInputHandler(followOptions),
          stop,
        );
      } catch (error) {
        stop.release();
        throw asCallError(error);
      }
    },
    tools: () => tools.all(),
    onTaskStatus: (listener, taskId) => statuses.on((state) => listener(state), taskId),
    async close() {
      await cancelPending();
      await link.close();
      schemas.close();
      await receiver?.close();
    },
  };
}

function remembered<K extends object, T>(make: (key: K) => T): (key: K) => T {
  const made = new WeakMap<K, T>();
  return (key) => {
    let value = made.get(key);
    if (value === undefined) made.set(key, (value = make(key)));
    return value;
  };
}

/** What a server says of itself, in `initialize` or `server/discover`. */
function factsOf(server: JsonObject): ServerFacts {
  const { capabilities, instructions } = server;
  const info = server['serverInfo'] ?? at(server, ['_meta', META_KEYS.serverInfo]);
  return {
    capabilities: isObject(capabilities) ? capabilities : {},
    ...(isObject(info) && { info: info as unknown as NonNullable<ServerFacts['info']> }),
    ...(typeof instructions === 'string' && { instructions }),
  };
}
