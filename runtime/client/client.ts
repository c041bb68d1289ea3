import type { Client, ConnectOptions, Tool, Transport } from '@modelcontextprotocol/client';

import { META_KEYS } from '../../generated/2025-11-25/protocol.js';
import { EXTENSION_ID } from '../../generated/ext-tasks/protocol.js';
import type { JsonObject } from '../tasks/index.js';
import { at } from '../wire/json.js';
import { answerRequests, type CallQuestions, router } from './asked.js';
import { type CallRequest, place } from './calls.js';
import { coreDialogue, get, type Waits } from './core.js';
import { asCallError, callError, type CallError } from './errors.js';
import { extDialogue } from './ext.js';
import { answeredHandle, taskHandle } from './handle.js';
import { type ClientLimits, completeLimits } from './limits.js';
import { createLink } from './link.js';
import { createProgressTokens } from './progress.js';
import { answeredBy, createQuestions } from './questions.js';
import { createReceiver, type ReceiverOptions } from './receiver.js';
import { formatReference, parseReference } from './reference.js';
import { createStatuses } from './statuses.js';
import { createStop, type Stop } from './stop.js';
import { createSubscriptions } from './subscriptions.js';
import { createToolListing } from './tools.js';
import type {
  Answerers,
  CallHandle,
  CallOptions,
  FollowOptions,
  TaskState,
  ToolResult,
} from './types.js';
import { createWatch, type Watch } from './watch.js';
import { tapped } from './wire.js';

export interface TaskClientOptions {
  /** Who answers what servers ask. */
  readonly answer?: Answerers;
  /** Runs the server's questions as tasks where it wishes so, in the core dialect. Default: it cannot. */
  readonly receiver?: ReceiverOptions;
  readonly limits?: Partial<ClientLimits>;
  /** Told what goes wrong beside calls: notifications that are none, listeners that throw. */
  readonly onError?: (error: Error) => void;
}

/** Calls tools, whatever the server makes of a call. Everything rejects with a `CallError`. */
export interface TaskClient {
  /** The SDK's client, for all else. */
  readonly client: Client;
  /** Connects the SDK's client; again after the connection was lost, with another transport. */
  connect(transport: Transport, options?: ConnectOptions): Promise<void>;
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
 * Throws when it is connected already.
 */
export function createTaskClient(client: Client, options: TaskClientOptions = {}): TaskClient {
  const { answer = {} } = options;
  const limits = completeLimits(options.limits);
  const onError = options.onError ?? ((error: Error) => console.error(error.message));
  const onProblem = (error: unknown): void =>
    onError(error instanceof Error ? error : new Error(String(error)));
  const link = createLink(client, limits);
  const tools = createToolListing(client);
  const statuses = createStatuses(onError);
  const progress = createProgressTokens(onError);
  const subscriptions = createSubscriptions(client, limits.requestTimeout);
  const waits: Waits = { open: 0 };
  const watches = new Set<Watch>();
  const asked = new Map<string, CallQuestions>();
  const route = router(answer, asked);
  const receiver =
    options.receiver &&
    createReceiver(options.receiver, {
      answerers: answer,
      answer: route,
      notify: (notification) => client.notification(notification),
    });

  client.registerCapabilities({
    extensions: { [EXTENSION_ID]: {} },
    ...((answer.form ?? answer.url) && {
      elicitation: { ...(answer.form && { form: {} }), ...(answer.url && { url: {} }) },
    }),
    ...(answer.sampling && { sampling: {} }),
    ...(answer.roots && { roots: {} }),
    ...(receiver && { tasks: receiver.capabilities }),
  });
  answerRequests(client, answer, route);

  function disconnected(): void {
    tools.forget();
    subscriptions.close();
    receiver?.disconnected();
    for (const watch of watches) watch.fail(callError('lost', 'The connection was closed'));
  }

  /** Whether a call asks to become a task: where the server takes that, and its tool can or must. */
  async function augments(name: string, { asTask = true }: CallOptions): Promise<boolean> {
    if (link.dialect !== 'core' || !link.declares('tasks', 'requests', 'tools', 'call'))
      return false;
    const support = (await tools.find(name))?.execution?.taskSupport;
    return support === 'required' || (support === 'optional' && asTask);
  }

  function follow(
    first: TaskState,
    task: JsonObject,
    tool: string,
    { onStatus, onInput }: FollowOptions,
    stop: Stop,
    immediateResponse?: string,
  ): CallHandle {
    const { dialect, taskId } = first;
    const reference = formatReference({ dialect, taskId, tool });
    const watch = createWatch({ first, reference, limits, gate: link.gate, onStatus, onProblem });
    const answering = onInput ?? answeredBy(answer);
    const endings: (() => void)[] = [];
    watches.add(watch);
    watch.over.addEventListener('abort', () => {
      watches.delete(watch);
      for (const end of endings) end();
      stop.release();
    });

    const dialogue = dialect === 'core' ? followCore() : followExt();
    watch.run(dialogue);
    stop.reached.catch((reason: CallError) => cancelFor(reason));
    const result = watch.result.then((value) => tools.checked(tool, value));
    // Whoever wants it may come later, or never.
    result.catch(() => undefined);
    return taskHandle(watch, dialogue, result, reference, immediateResponse);

    async function cancelFor(reason: CallError): Promise<void> {
      if (watch.ended) return;
      watch.stopping(reason);
      const patience = new Promise((resolve) => setTimeout(resolve, CANCEL_PATIENCE).unref());
      await Promise.race([dialogue.cancel().catch(() => undefined), patience]);
      watch.fail(reason);
    }

    function followCore() {
      const questions: CallQuestions = {
        active: 0,
        asked: 0,
        most: limits.questions,
        answer: answering,
        watch,
      };
      asked.set(taskId, questions);
      endings.push(() => asked.delete(taskId));
      const core = coreDialogue(link, watch, waits, questions);
      endings.push(statuses.on((state) => watch.guard(() => core.hear(state)), taskId));
      return core;
    }

    function followExt() {
      const questions = createQuestions(answering, limits.questions);
      const ext = extDialogue(link, watch, questions, subscriptions.follow(taskId));
      endings.push(
        statuses.on((state, shown) => watch.guard(() => ext.hear(state, shown)), taskId),
      );
      if (task['resultType'] !== 'task') watch.guard(() => ext.hear(first, task));
      return ext;
    }
  }

  async function start(
    tool: string,
    args: JsonObject = {},
    given: CallOptions = {},
  ): Promise<CallHandle> {
    const stop = createStop(given);
    const token = given.onProgress && progress.issue(given.onProgress);
    let following = false;
    try {
      const augmented = await Promise.race([augments(tool, given), stop.reached]);
      const request: CallRequest = {
        name: tool,
        arguments: args,
        _meta: { ...given.meta, ...(token && { progressToken: token.token }) },
        ...(augmented && { task: given.ttl === undefined ? {} : { ttl: given.ttl } }),
      };
      const questions = createQuestions(given.onInput ?? answeredBy(answer), limits.questions);
      const placed = await place(client, link, request, questions, stop);
      if ('result' in placed) return answeredHandle(placed.result);
      following = true;
      const immediate = at(placed.meta, [META_KEYS.modelImmediateResponse]);
      const handle = follow(
        placed.task,
        { resultType: 'task' },
        tool,
        given,
        stop,
        typeof immediate === 'string' ? immediate : undefined,
      );
      const ended = (): void => token?.end();
      handle.result().then(ended, ended);
      return handle;
    } catch (error) {
      throw asCallError(error);
    } finally {
      if (!following) {
        stop.release();
        token?.end();
      }
    }
  }

  return {
    client,
    start,
    async connect(transport, connectOptions) {
      const wire = tapped(transport, {
        onClose: disconnected,
        onRequest: (message, reply) =>
          link.dialect === 'core' && receiver?.take(message, reply) === true,
        onNotification(message) {
          if (message.method === 'notifications/tools/list_changed') tools.forget();
          receiver?.hear(message);
          subscriptions.hear(message);
          statuses.hear(message);
          return progress.hear(message);
        },
      });
      await receiver?.open();
      await client.connect(wire, connectOptions);
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
        return follow(state, task, tool, followOptions, stop);
      } catch (error) {
        stop.release();
        throw asCallError(error);
      }
    },
    tools: () => tools.all(),
    onTaskStatus: (listener, taskId) => statuses.on((state) => listener(state), taskId),
    async close() {
      await client.close();
      await receiver?.close();
    },
  };
}

/** Milliseconds that a caller who gave up waits for the server to say that it stopped. */
const CANCEL_PATIENCE = 5_000;
