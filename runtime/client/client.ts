import type {
  Client,
  ClientCapabilities,
  ConnectOptions,
  Tool,
  Transport,
} from '@modelcontextprotocol/client';

import type { JsonObject } from '../tasks/index.js';
import { answerRequests, type CallQuestions, router } from './asked.js';
import { type CallRequest, place } from './calls.js';
import {
  capabilitiesFor,
  declaredAnswerers,
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
import { createProgressTokens } from './progress.js';
import { answeredBy, createQuestions } from './questions.js';
import { createReceiver, type ReceiverOptions } from './receiver.js';
import { parseReference } from './reference.js';
import { createSchemaChecker } from './schemas.js';
import { initializedOf, type Session } from './session.js';
import { createStatuses, type TaskStatusHandlers } from './statuses.js';
import { createStop } from './stop.js';
import { createSubscriptions } from './subscriptions.js';
import { createToolListing } from './tools.js';
import type {
  Answerers,
  AnswerQuestion,
  CallHandle,
  CallOptions,
  FollowOptions,
  TaskState,
  ToolResult,
} from './types.js';
import { tapped, type WireTaps } from './wire.js';

export interface TaskClientOptions {
  /**
   * What the client declares to servers. It needs an answerer for each capability, and answers nothing
   * else. Default: what `answer` and `receiver` can serve, and the tasks extension.
   */
  readonly capabilities?: DeclaredCapabilities;
  /** The handlers of the server's questions. */
  readonly answer?: Answerers;
  /**
   * How the server's questions run as tasks, in the core dialect. Default: as the capability `tasks`
   * says, with the default options.
   */
  readonly receiver?: ReceiverOptions;
  /** Handlers of the notifications that servers send about tasks. Calls do not need them. */
  readonly statusHandlers?: TaskStatusHandlers;
  readonly limits?: Partial<ClientLimits>;
  /** Gets errors that belong to no call: invalid notifications, listeners that throw. */
  readonly onError?: (error: Error) => void;
}

/** What is true of a task when the caller gives up before the server has answered. */
const UNSENT = 'it had not been sent, so there is no task';
const UNANSWERED =
  'the server had not answered and may still create a task; ' +
  'this client cancels that task if the answer arrives before the connection closes';

/** Milliseconds that the last notifications may take. */
const CLOSE_PATIENCE = 1_000;

export interface TaskConnectOptions extends ConnectOptions {
  /** Goes on in a session that there was before, with a transport that was given its id. */
  readonly session?: Session;
}

/** Calls tools, whatever the server makes of a call. Everything rejects with a `CallError`. */
export interface TaskClient {
  /** The SDK's client, for all else. */
  readonly client: Client;
  /** Connects the SDK's client; again after the connection was lost, with another transport. */
  connect(transport: Transport, options?: TaskConnectOptions): Promise<void>;
  /** The session of the connection, where there is one: to `resume` tasks that are bound to it. */
  readonly session: Session | undefined;
  /** Calls a tool and resolves with its result, now or when its task has ended. */
  call(tool: string, args?: JsonObject, options?: CallOptions): Promise<ToolResult>;
  /** The same, resolving as soon as the server has taken the call on. */
  start(tool: string, args?: JsonObject, options?: CallOptions): Promise<CallHandle>;
  /** Takes up a task by its handle's reference. */
  resume(reference: string, options?: FollowOptions): Promise<CallHandle>;
  /** What the server offers, listed once until it says that this changed. */
  tools(): Promise<readonly Tool[]>;
  /**
   * What the server announces about tasks, of all or of one, as far as it does. Returns what ends it.
   * Calls need nobody to listen.
   */
  onTaskStatus(listener: (state: TaskState) => void, taskId?: string): () => void;
  /**
   * Closes the connection, and the receiver for good. Calls under way reject as lost, with the
   * references of their tasks.
   */
  close(): Promise<void>;
}

/**
 * Makes an SDK client ready for tasks. To be called before it connects, which is done here.
 *
 * Throws when it is connected already, and a TypeError for a declared capability without an answerer.
 */
export function createTaskClient(client: Client, options: TaskClientOptions = {}): TaskClient {
  const { answer: given = {} } = options;
  const capabilities =
    options.capabilities ?? capabilitiesFor(given, options.receiver !== undefined);
  const answer = declaredAnswerers(capabilities, given);
  if (options.receiver && !capabilities.tasks) {
    throw new TypeError('The option receiver needs the capability tasks: declare it');
  }
  const limits = completeLimits(options.limits);
  const onError = options.onError ?? ((error: Error) => console.error(error.message));
  const onProblem = (error: unknown): void =>
    onError(error instanceof Error ? error : new Error(String(error)));
  const link = createLink(client, limits);
  const schemas = createSchemaChecker(limits.schemaTimeout);
  const tools = createToolListing(client, schemas);
  const statuses = createStatuses(onError, options.statusHandlers);
  const progress = createProgressTokens(onError);
  const subscriptions = createSubscriptions(client, limits.requestTimeout);
  const asked = new Map<string, CallQuestions>();
  const following = createFollowing({ link, statuses, subscriptions, asked, tools, onProblem });
  const anyone = answeredBy(answer);
  const route = router(anyone, asked);
  const receiver =
    capabilities.tasks &&
    createReceiver(options.receiver ?? {}, {
      capabilities: capabilities.tasks,
      answerers: answer,
      answer: route,
      notify: (notification) => client.notification(notification),
    });

  client.registerCapabilities(capabilities as ClientCapabilities);
  answerRequests(client, answer, route);

  let initialized: JsonObject | undefined;
  const notifying = new Set<Promise<void>>();

  /** Servers that wait for results on our behalf, and would take questions along, are told to stop. */
  async function letGo(): Promise<void> {
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

  /** The handler of one call's questions: its own, or else the client's. */
  function answererOf({ onInput }: FollowOptions): AnswerQuestion {
    if (onInput === undefined) return anyone;
    // Without a list of its own the client declares what `answer` serves, and `onInput` may serve more.
    return options.capabilities ? onlyDeclared(capabilities, onInput) : onInput;
  }

  /** Whether a call asks to become a task: where the server takes that, and its tool can or must. */
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
    const token = given.onProgress && progress.issue(given.onProgress);
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
      const questions = createQuestions(answererOf(given), limits.questions);
      const acceptsTasks = declaresExtension(capabilities);
      stop.signal.throwIfAborted();
      sent = true;
      const sender = { client, link, tools, acceptsTasks };
      const placed = await place(sender, request, questions, stop);
      answered = true;
      if ('result' in placed) {
        const { result } = placed;
        if (result.isError === true) return answeredHandle(result);
        return answeredHandle(await Promise.race([tools.checked(tool, result), stop.reached]));
      }
      taken = true;
      const handle = following.follow(
        { tool, state: placed.task, meta: placed.meta },
        given,
        answererOf(given),
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
        onClose: disconnected,
        onNotify(sent) {
          notifying.add(sent);
          const ended = (): unknown => notifying.delete(sent);
          sent.then(ended, ended);
        },
        onResult(method, result) {
          if (method === 'tools/list') tools.hear(result);
          if (method === 'initialize') initialized = initializedOf(result);
        },
        onRequest: (message, reply) =>
          link.dialect === 'core' && receiver?.take(message, reply) === true,
        onNotification(message) {
          if (message.method === 'notifications/tools/list_changed') tools.forget();
          receiver?.hear(message);
          subscriptions.hear(message);
          statuses.hear(message);
          return progress.hear(message);
        },
      };
      await receiver?.open();
      await client.connect(tapped(transport, taps, session), {
        ...connectOptions,
        // Only these revisions have sessions, so there is no other to ask for.
        ...(session && { prior: { kind: 'legacy' } }),
      });
    },
    async call(tool, args, callOptions) {
      return (await start(tool, args, callOptions)).result();
    },
    async resume(text, followOptions = {}) {
      const { dialect, taskId, tool } = parseReference(text);
      if (dialect !== link.dialect) {
        throw callError('invalid_reference', `This connection knows no ${dialect} tasks`);
      }
      const stop = createStop(followOptions);
      try {
        const { state, task } = await Promise.race([get(link, taskId, stop.signal), stop.reached]);
        const followed = { tool, state, task };
        return following.follow(followed, followOptions, answererOf(followOptions), stop);
      } catch (error) {
        stop.release();
        throw asCallError(error);
      }
    },
    tools: () => tools.all(),
    onTaskStatus: (listener, taskId) => statuses.on((state) => listener(state), taskId),
    async close() {
      await letGo();
      await client.close();
      schemas.close();
      await receiver?.close();
    },
  };
}
