import type {
  Client,
  ClientCapabilities,
  ConnectOptions,
  Tool,
  Transport,
} from '@modelcontextprotocol/client';

import { METHODS } from '../protocol/index.js';
import type { JsonObject } from '../tasks/index.js';
import { createOperations } from '../telemetry/index.js';
import { handleServerRequests, type CallInputs, inputRouter } from './server-requests.js';
import { type CallRequest, sendCall } from './calls.js';
import {
  capabilitiesFor,
  declaredHandlers,
  type DeclaredCapabilities,
  declaresExtension,
  onlyDeclared,
} from './capabilities.js';
import { get } from './core.js';
import { asCallError, callError, withMessage } from './errors.js';
import { createFollowing } from './follow.js';
import { answeredHandle } from './handle.js';
import { type ClientLimits, completeLimits } from './limits.js';
import { createLink } from './link.js';
import { createProgressTokens, increasing } from './progress.js';
import { inputHandlerOf, createInputRequests } from './input-requests.js';
import { createReceiver, type ReceiverOptions } from './receiver.js';
import { parseReference } from './reference.js';
import { createSchemaChecker } from './schemas.js';
import { initializedOf, type Session } from './session.js';
import { createStatuses, type TaskStatusHandlers } from './statuses.js';
import { createStop } from './stop.js';
import { createSubscriptions } from './subscriptions.js';
import { createToolListing } from './tools.js';
import type {
  InputHandlers,
  InputHandler,
  CallHandle,
  CallOptions,
  FollowOptions,
  TaskState,
  ToolResult,
} from './types.js';
import { tapped, type WireTaps } from './wire.js';

export interface TaskClientOptions {
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

export interface TaskConnectOptions extends ConnectOptions {
  /** Continues an earlier session. The transport needs its id. */
  readonly session?: Session;
}

/** Calls tools, as plain calls or as tasks of either dialect. All methods reject with a `CallError`. */
export interface TaskClient {
  /** The SDK's client, for prompts, resources and other requests. */
  readonly client: Client;
  /** Connects the SDK's client. To reconnect, call it again with a new transport. */
  connect(transport: Transport, options?: TaskConnectOptions): Promise<void>;
  /** The session of the connection, if it has one. Tasks that are bound to it need it for `resume`. */
  readonly session: Session | undefined;
  /** Calls a tool. Resolves with its result, for a task when the task has ended. */
  call(tool: string, args?: JsonObject, options?: CallOptions): Promise<ToolResult>;
  /** Calls a tool. Resolves with a handle as soon as the server has answered or created a task. */
  start(tool: string, args?: JsonObject, options?: CallOptions): Promise<CallHandle>;
  /** Follows a task again, by the `reference` of its handle. */
  resume(reference: string, options?: FollowOptions): Promise<CallHandle>;
  /** The server's tools. The client keeps the list until the server announces a change. */
  tools(): Promise<readonly Tool[]>;
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

/**
 * Adds tasks to an SDK client that has not connected yet; `connect` connects it.
 *
 * Throws an Error for a connected client, and a TypeError for a declared capability without a handler.
 */
export function createTaskClient(client: Client, options: TaskClientOptions = {}): TaskClient {
  const { answer: given = {} } = options;
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
  const operations = createOperations('client');
  const link = createLink(client, limits);
  const schemas = createSchemaChecker(limits.schemaTimeout);
  const tools = createToolListing(client, schemas);
  const statuses = createStatuses(onError, options.statusHandlers);
  const progress = createProgressTokens(onError);
  const subscriptions = createSubscriptions(client, limits.requestTimeout);
  const callInputs = new Map<string, CallInputs>();
  const following = createFollowing({
    link,
    statuses,
    subscriptions,
    callInputs,
    tools,
    onProblem,
  });
  const defaultHandler = inputHandlerOf(answer);
  const route = inputRouter(defaultHandler, callInputs);
  const receiver =
    capabilities.tasks &&
    createReceiver(options.receiver ?? {}, {
      capabilities: capabilities.tasks,
      handlers: answer,
      answer: route,
      notify: (notification) => client.notification(notification),
    });

  client.registerCapabilities(capabilities as ClientCapabilities);
  handleServerRequests(client, answer, route);

  let initialized: JsonObject | undefined;
  const notifying = new Set<Promise<void>>();

  /** Cancels open `tasks/result` requests, because a server may send later input requests to them. */
  async function cancelPending(): Promise<void> {
    following.lose(undefined);
    const patience = new Promise((resolve) => setTimeout(resolve, CLOSE_PATIENCE).unref());
    await Promise.race([Promise.allSettled(notifying), patience]);
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
      const sender = { client, link, tools, acceptsTasks };
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

  return {
    client,
    start,
    get session() {
      const id = client.transport?.sessionId;
      return id === undefined || initialized === undefined ? undefined : { id, initialized };
    },
    async connect(transport, { session, ...connectOptions } = {}) {
      initialized = session?.initialized;
      const taps: WireTaps = {
        operations,
        revision: () => client.getNegotiatedProtocolVersion(),
        onClose: disconnected,
        onNotify(sent) {
          notifying.add(sent);
          const ended = (): unknown => notifying.delete(sent);
          sent.then(ended, ended);
        },
        onResult(method, result) {
          if (method === METHODS.toolsList) tools.remember(result);
          if (method === METHODS.initialize) initialized = initializedOf(result);
        },
        onRequest: (message, reply) =>
          link.dialect === 'core' && receiver?.take(message, reply) === true,
        onNotification(message) {
          if (message.method === METHODS.notificationsToolsListChanged) tools.forget();
          receiver?.receive(message);
          subscriptions.receive(message);
          statuses.receive(message);
          return progress.receive(message);
        },
      };
      await receiver?.open();
      await client.connect(tapped(transport, taps, session), {
        ...connectOptions,
        // Only revisions up to 2025-11-25 have sessions.
        ...(session && { prior: { kind: 'legacy' } }),
      });
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
      await client.close();
      schemas.close();
      await receiver?.close();
    },
  };
}
