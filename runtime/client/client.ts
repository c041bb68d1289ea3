import { METHODS, type RevisionVersion } from '../protocol.js';
import { methodsOf } from '../peer/index.js';
import type { JsonObject } from '../tasks/index.js';
import { createOperations } from '../telemetry/index.js';
import { type CallRequest, sendCall } from './calls.js';
import {
  capabilitiesFor,
  samplingProblem,
  declaredHandlers,
  declaresExtension,
  onlyDeclared,
} from './capabilities.js';
import { createChanges } from './changes.js';
import { get } from './core.js';
import { asCallError, CallError, callError, withMessage, withReference } from './errors.js';
import { createFollowing } from './follow.js';
import { answeredHandle } from './handle.js';
import { openOne, waysTo } from './host.js';
import { createInputRequests, inputHandlerOf } from './input-requests.js';
import { completeLimits } from './limits.js';
import { Link } from './link.js';
import { listed, type ListMethod } from './listed.js';
import { createListener } from './listen.js';
import { pause } from './pacing.js';
import { printable } from './printable.js';
import { createProgressTokens, increasing } from './progress.js';
import { type CallInputs, inputRouter, questionRows } from './questions.js';
import type { Receiver } from './receiver.js';
import { parseReference } from './reference.js';
import type { Answered } from './requests.js';
import { createRequesting } from './requesting.js';
import { spokenVersions } from './revisions.js';
import { factsOf } from './server-facts.js';
import { createStatuses } from './statuses.js';
import { createSilences } from './silence.js';
import { createStop, fateOf, shownNotice } from './stop.js';
import { createSubscriptions } from './subscriptions.js';
import type { TaskClient, TaskClientOptions } from './task-client.js';
import { createToolListing } from './tools.js';
import type {
  CallHandle,
  CallOptions,
  FollowOptions,
  InputHandler,
  InputRequest,
} from './types.js';

/** Notifications that are about one call, or about a task. */
const OF_ONE_CALL: ReadonlySet<string> = new Set([
  METHODS.notificationsProgress,
  METHODS.notificationsTasksStatus,
  METHODS.notificationsTasks,
]);
/** Milliseconds that `close` waits for the last notifications. */
const CLOSE_PATIENCE = 1_000;

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
  const onError = options.onError ?? ((error: Error) => console.error(printable(error.message)));
  const onProblem = (error: unknown): void =>
    onError(error instanceof Error ? error : new Error(String(error)));
  const callInputs = new Map<string, CallInputs>();
  const defaultHandler = inputHandlerOf(answer);
  const silences = createSilences(limits.silence);
  const route = heeding(inputRouter(defaultHandler, callInputs, limits.openQuestions));
  /** The server's last notification or input request. */
  let heard: { readonly text: string } | undefined;
  let receiver: Receiver | undefined;
  let slowness: string | undefined;
  const listeners = new Map<string, Set<(params: never) => void>>();
  const link: Link = new Link({
    info: { name, version, ...(title !== undefined && { title }) },
    capabilities,
    versions: spokenVersions(options.revisions),
    limits,
    operations: createOperations('client'),
    // Asked for when the server sends its first request, so after `connect` has made the receiver.
    methodsIn: remembered((revision) => {
      const rows = questionRows(answer, capabilities, route, receiver);
      return methodsOf(revision, 'client', rows, capabilities as JsonObject);
    }),
    onNotification: notified,
    onClosed: disconnected,
    onRenewed: renewed,
    onSlow(message) {
      slowness = message;
      onError(new Error(message));
    },
    onProblem: onError,
  });
  const tools = createToolListing(link, onError);
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

  /** The receiver is loaded only for clients that run tasks. */
  async function openReceiver(): Promise<void> {
    const { tasks } = capabilities;
    if (tasks === undefined) return;
    const { createReceiver } = await import('./receiver.js');
    receiver ??= createReceiver(options.receiver ?? {}, {
      capabilities: tasks,
      answer: route,
      notify: ({ method, params }) => link.notify(method, params),
    });
    await receiver.open();
  }

  function notified(method: string, params: JsonObject): void {
    heard = { text: shownNotice(method, params) };
    // Progress names its call, and a task belongs to a call that is answered.
    if (!OF_ONE_CALL.has(method)) silences.heard();
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
    changes.disconnected();
    receiver?.disconnected();
    following.lose(problem);
  }

  function renewed(): void {
    tools.forget();
    changes.renewed();
    const level = link.logLevel;
    if (level !== undefined) request(METHODS.loggingSetLevel, { level }).catch(onProblem);
  }

  function silent(tool: string): CallError {
    const message = `The server did not answer the call of ${printable(tool)}, and sent nothing about it for ${limits.silence} ms (limit silence)`;
    return callError('timeout', message);
  }

  /** The handler of one call's input requests: its `onInput`, else the client's. */
  function callInputHandler({ onInput }: FollowOptions): InputHandler {
    if (onInput === undefined) return sampled(defaultHandler);
    // Without the option `capabilities`, `onInput` may answer every kind of request.
    return sampled(options.capabilities ? onlyDeclared(capabilities, onInput) : onInput);
  }

  function heeding(handler: InputHandler): (request: InputRequest) => Promise<JsonObject> {
    return async (request) => {
      heard = { text: request.method };
      return await silences.whileAsked(async () => handler(request));
    };
  }

  /** In sessions the rows refuse such requests. */
  function sampled(handler: InputHandler): InputHandler {
    return (request) => {
      const isChecked = link.dialect === 'ext' && request.method === METHODS.samplingCreateMessage;
      const problem = isChecked ? samplingProblem(capabilities, request.params) : undefined;
      if (problem !== undefined) throw new Error(problem);
      return handler(request);
    };
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
    // A call with a timeout needs no other end. The token lets a tool show that it is at work.
    const wait =
      given.timeout === undefined ? silences.watch(() => stop.end(silent(tool))) : undefined;
    const listens = onProgress !== undefined || (wait !== undefined && limits.silence > 0);
    const token = listens
      ? progress.issue((news) => {
          wait?.heard();
          onProgress?.(news);
        })
      : undefined;
    const before = heard;
    let taken = false;
    let sent = false;
    let answered = false;
    /** Input requests of `input_required` results. Until they are answered, the server has no request of the call. */
    let open = 0;
    const handler = heeding(callInputHandler(given));
    try {
      const augmented = await Promise.race([augments(tool, given), stop.reached]);
      const request: CallRequest = {
        name: tool,
        arguments: args,
        _meta: { ...given.meta, ...(token && { progressToken: token.token }) },
        ...(augmented && { task: given.ttl === undefined ? {} : { ttl: given.ttl } }),
      };
      const inputs = createInputRequests(async (request) => {
        open += 1;
        const reply = await handler(request);
        open -= 1;
        return reply;
      }, limits.inputRequests);
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
        { tool, ...answer },
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
      const last = heard === before ? undefined : heard?.text;
      const strays = failure.reason === 'timeout' ? link.takeStrays() : '';
      const fate = fateOf(sent, last, open > 0);
      throw withMessage(failure, `${failure.message}; ${fate}${strays}`);
    } finally {
      wait?.end();
      if (!taken) {
        stop.release();
        token?.end();
      }
    }
  }

  const request = createRequesting({
    link,
    progress,
    tools,
    inputsOf: (given) => createInputRequests(callInputHandler(given), limits.inputRequests),
  });

  /** A list of the server, or none where it does not declare the capability. */
  async function list<M extends ListMethod, T>(
    method: M,
    entriesIn: (page: Answered<M>) => readonly T[],
  ): Promise<never> {
    const entries = link.serves(method) ? await listed(link, method, entriesIn) : [];
    return entries as never;
  }

  return {
    start,
    get revision() {
      return link.version as V | undefined;
    },
    get slowness() {
      return slowness;
    },
    get server() {
      return factsOf(link.server);
    },
    get session() {
      return link.session;
    },
    async connect(to, connectOptions = {}) {
      const { session, timeout, ...address } = connectOptions;
      const prepare = (): Promise<void> => {
        slowness = undefined;
        return openReceiver();
      };
      const ways = waysTo(to, { ...address, session }, options.host);
      await openOne(ways, (transport, isOlder) =>
        // A session is one of Streamable HTTP.
        link.open(transport, { timeout, prepare, session: isOlder ? undefined : session }),
      );
    },
    endSession: () => link.endSession(),
    request: (method, params, requestOptions) =>
      request(method, params, requestOptions) as Promise<never>,
    notify: (method, params = {}) => link.notify(method, params),
    prompts: () => list(METHODS.promptsList, ({ prompts }) => prompts),
    prompt: (name, args = {}, requestOptions) =>
      request(METHODS.promptsGet, { name, arguments: args }, requestOptions) as Promise<never>,
    resources: () => list(METHODS.resourcesList, ({ resources }) => resources),
    resourceTemplates: () => list(METHODS.resourcesTemplatesList, (page) => page.resourceTemplates),
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
      return completion.values;
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
        const message = `The reference is for a task of the ${dialect} dialect; this connection uses ${link.dialect}`;
        // A connection of the other dialect can resume the task.
        throw new CallError({ reason: 'invalid_reference' }, message, { reference: text });
      }
      const stop = createStop(followOptions);
      try {
        const found = await Promise.race([get(link, taskId, stop.signal), stop.reached]);
        const { onProgress } = followOptions;
        return following.follow(
          { tool, ...found },
          { ...followOptions, ...(onProgress && { onProgress: increasing(onProgress) }) },
          callInputHandler(followOptions),
          stop,
        );
      } catch (error) {
        stop.release();
        throw withReference(asCallError(error), text);
      }
    },
    tools: () => tools.all(),
    get leftOut() {
      return link.entries.leftOut;
    },
    onTaskStatus: (listener, taskId) => statuses.on((state) => listener(state), taskId),
    async close() {
      await cancelPending();
      await link.close();
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
