import { createInProcessExecutor } from '../executors/in-process/index.js';
import { createMemoryStore } from '../stores/memory/index.js';
import {
  type AuditSink,
  type Dialect,
  type TaskEngine,
  type TaskExecutor,
  type TaskLimits,
  type TaskStore,
  type TaskSummary,
  createEngine,
} from '../tasks/index.js';
import { COMPLETE, NOT_CACHED } from '../rules/messages.js';
import { asksOf } from '../rules/questions.js';
import {
  assertDeclared,
  assertOffered,
  capabilitiesFor,
  type TaskCapabilities,
} from './capabilities.js';
import { messageOf } from './errors.js';
import { type Changes, createChanges, type Notify } from './features/changes.js';
import type { TaskToolsOptions } from './features/task-tools.js';
import { bothDeclare, ownedBy, type SdkServer } from './guest.js';
import { createReporter, type ServerLog, Warning } from './log/log.js';
import type { ServerPrompt, ServerResource } from './endpoint.js';
import type { Platform } from './platform.js';
import { scopedIn } from './scopes.js';
import { handlerOf } from './features/tools.js';
import { type EndpointTerms, featuresOf, Serving, versionsOf } from './serving.js';
import { type ServerTool, listingIn } from './tool.js';
import { isObject } from '../peer/wire/json.js';
import {
  loadDialect,
  loadRevisions,
  offeredVersions,
  type ServedRevisions,
  type Revision,
} from '../peer/wire/revision.js';
import { type RevisionVersion, METHODS } from '../protocol.js';
import { subjectOf } from './definitions/index.js';

export interface TaskServerOptions {
  readonly name: string;
  readonly version: string;
  readonly title?: string;
  /** How to use the server, for the model. */
  readonly instructions?: string;
  readonly tools: readonly ServerTool[];
  /** What clients can read: from `defineResource` and `defineResourceTemplate`. */
  readonly resources?: readonly ServerResource[];
  /** From `definePrompt`. */
  readonly prompts?: readonly ServerPrompt[];
  /**
   * Makes a server of the official SDK, of any version, whose tools, resources and prompts are served beside these:
   * one for each session, and one for each request without a session. Returns a new server in each call.
   */
  readonly guest?: () => SdkServer | Promise<SdkServer>;
  /** Whether the server sends log messages to its clients (`request.log`). Default: no. */
  readonly logging?: boolean;
  /** Entries in one answer to a request for a list. Default 1,000. */
  readonly pageSize?: number;
  /** Default: in memory, for as long as the process lives. The server closes it. */
  readonly store?: TaskStore;
  /** Default: in this process. */
  readonly executor?: TaskExecutor;
  /**
   * What the server declares about tasks, and serves: exactly that. Default: what the tools need, in
   * both dialects, and clients may be asked for anything.
   */
  readonly capabilities?: TaskCapabilities;
  /**
   * Revisions that clients may speak; only their validators are loaded. A dialect that `capabilities`
   * declares needs its revision here, and revisions before 2025-11-25 need that one. Default: all.
   */
  readonly revisions?: readonly RevisionVersion[];
  /**
   * Called with each task that this process creates, and again at each change of its status: for logs,
   * webhooks and metrics. May be slow or fail; neither reaches the tasks. Errors go to `onError`.
   */
  readonly onTaskStatus?: (task: TaskSummary) => unknown;
  /**
   * Gives clients that declare no tasks a result that names the task, for a tool that runs as a task only, and for a call
   * that lasts; and the tools `task_get`, `task_wait`, `task_answer` and `task_cancel`. Such a client sees no output
   * schema of a tool that may run as a task. Default: false.
   */
  readonly tasksAsTools?: boolean | TaskToolsOptions;
  /**
   * `portable` lists the tools with schemas in the words that most hosts take, which accept the same values. Default:
   * `as-written`.
   */
  readonly schemas?: 'as-written' | 'portable';
  readonly limits?: Partial<TaskLimits>;
  /** Milliseconds between polls that requestors are asked to keep. Default 1,000. */
  readonly pollInterval?: number;
  readonly audit?: AuditSink;
  /**
   * Gets a line for each audit event and each fault, by level. Lines hold no arguments, results or answers.
   * Default: none.
   */
  readonly log?: ServerLog;
  /**
   * Told what goes wrong beside the answers to requests, and of serving without authorization, by an error whose name is
   * `Warning`. Default: a line of `log`, else on standard error, and for what repeats, one every 10 s with a count.
   */
  readonly onError?: (error: Error) => void;
}

/** Tools, tasks, resources and prompts, ready to be served over any number of connections. */
export interface TaskServer {
  readonly name: string;
  readonly engine: TaskEngine;
  /** Tells clients that follow it that a list or a resource has changed, over every transport. */
  readonly notify: Notify;
  /** For transports: what is served to the callers of one endpoint. */
  serve(terms: EndpointTerms): Serving;
  /** Those that clients may speak, newest first. */
  readonly revisions: readonly RevisionVersion[];
  /** Names of what needs scopes. */
  readonly scoped: readonly string[];
  /** What the server declares, when its user says so. */
  readonly capabilities: TaskCapabilities | undefined;
  readonly onError: (error: unknown) => void;
  /** Resolves when the store can be written and read. */
  probe(): Promise<void>;
  /**
   * Refuses new requests at all endpoints, lets calls, streams and tasks finish for `drainMs` (default 5,000), then ends
   * them and closes the store.
   */
  close(drainMs?: number): Promise<void>;
}

/** A server on a platform. What is logged comes with `audit` and `onError`. */
export async function createServer(
  options: Omit<TaskServerOptions, 'log'>,
  platform: Platform,
): Promise<TaskServer> {
  const { store = createMemoryStore(), executor, capabilities, onTaskStatus } = options;
  const portable = options.schemas === 'portable' ? await platform.portable?.() : undefined;
  const tools = byName(options.tools, portable);
  const versions = offeredVersions(options.revisions);
  if (capabilities) {
    assertDeclared(options.tools, capabilities);
    assertOffered(capabilities, versions);
  }
  const declared = capabilities ?? capabilitiesFor(options.tools, versions);
  const declaredAsks = capabilities && asksOf(capabilities.asks);
  const revisions = await loadRevisions(versions, declared.ext !== undefined, platform.revisions);
  await prepareTools([...tools.values()], revisions);
  const { audit, onError: report = createReporter() } = options;
  const onError = (error: unknown): void =>
    report(error instanceof Error ? error : new Error(messageOf(error)));
  const { name, version, title, instructions, logging = false } = options;
  const { resources = [], prompts = [] } = options;
  assertUnique(resources, prompts);
  const { tasksAsTools = false } = options;
  const taskTools =
    tasksAsTools === false
      ? undefined
      : await platform.taskTools?.([...tools.values()], tasksAsTools === true ? {} : tasksAsTools);
  const offered = { tools, resources, prompts, logging, taskTools };
  const serverInfo = { name, version, ...(title !== undefined && { title }) };
  const guest =
    options.guest &&
    (await platform.inviteGuest?.({
      make: options.guest,
      owns: ownedBy(offered),
      serverInfo,
      onError,
    }));

  const load = (dialect: Dialect): Promise<void> => loadDialect(dialect, platform.revisions);
  const engine = await createEngine(
    {
      store,
      executor: executor ?? createInProcessExecutor(),
      handlers(task) {
        const tool = tools.get(task.tool ?? '');
        return tool && handlerOf(tool, task, load);
      },
      ...(options.limits && { limits: options.limits }),
      ...(options.pollInterval !== undefined && { pollInterval: options.pollInterval }),
      ...(audit && { audit }),
      ...(onTaskStatus && { onStatus: statusHook(onTaskStatus, onError) }),
      onLeft: (why) => onError(new Warning(why)),
      onFault: (error) => onError(new Error(`Task store: ${messageOf(error)}`, { cause: error })),
    },
    platform.telemetry(),
  );
  const secret = await store.secret();
  const spoken = (['core', 'ext'] as const).filter((each) => versionsOf(each, versions).length > 0);
  const dialects = new Map(
    await Promise.all(spoken.map(async (each) => [each, await platform.dialect(each)] as const)),
  );
  const declares = bothDeclare(featuresOf(offered), guest?.capabilities ?? {});
  const changes: Changes = createChanges(declares, onError);
  const parts = {
    serverInfo,
    guest,
    instructions: instructions ?? guest?.instructions,
    ...offered,
    pageSize: options.pageSize,
    declared,
    declaredAsks,
    revisions,
    engine,
    secret,
    dialects,
    changes,
    operations: platform.operations(),
    onError,
  };

  let closing: Promise<void> | undefined;
  const servings = new Set<Serving>();
  async function close(drainMs?: number): Promise<void> {
    await engine.close(drainMs, Promise.all([...servings].map((each) => each.drain())));
    for (const each of servings) each.close();
    await store.close();
  }

  function serve(terms: EndpointTerms): Serving {
    const serving = new Serving(parts, terms, () => servings.delete(serving));
    servings.add(serving);
    if (closing !== undefined) void serving.drain();
    return serving;
  }

  return {
    name,
    engine,
    notify: changes.notify,
    onError,
    capabilities,
    scoped: scopedIn(offered),
    revisions: versions,
    serve,
    probe: () => store.probe(),
    close: (drainMs) => (closing ??= close(drainMs)),
  };
}

/** Definitions that did not pass through `defineTool` have no JSON Schema, and were not checked. */
function assertDefined(tool: unknown, index: number): void {
  const { name, listing, run, validationError, load } = Object(tool) as Partial<ServerTool>;
  const isMade = [run, validationError, load].every((each) => typeof each === 'function');
  if (isObject(listing) && isMade) return;
  const which = typeof name === 'string' ? `Tool ${JSON.stringify(name)}` : `tools[${index}]`;
  throw new TypeError(
    `${which} is not made by defineTool: write defineTool({ name, description, input, run })`,
  );
}

function assertList(tools: unknown): void {
  if (!Array.isArray(tools)) throw new TypeError('`tools` must be a list: [defineTool({ … })]');
}

function byName(
  tools: readonly ServerTool[],
  change: (tool: ServerTool) => ServerTool = (tool) => tool,
): ReadonlyMap<string, ServerTool> {
  assertList(tools);
  const map = new Map<string, ServerTool>();
  for (const [index, tool] of tools.entries()) {
    assertDefined(tool, index);
    if (map.has(tool.name)) throw new TypeError(`Two tools are called ${tool.name}`);
    map.set(tool.name, change(tool));
  }
  return map;
}

/** A hook that cannot delay or fail the change of a task. */
function statusHook(
  hook: NonNullable<TaskServerOptions['onTaskStatus']>,
  onError: (error: unknown) => void,
): (task: TaskSummary) => void {
  const call = async (task: TaskSummary): Promise<void> => {
    await hook(task);
  };
  return (task) => void call(task).catch(onError);
}

/** What a list of 2026-07-28 has beside its tools. */
const LIST = { ...COMPLETE, ...NOT_CACHED };

/**
 * Makes the tools ready to be called. A tool that a revision cannot list is refused here, because it would break the list of
 * all tools.
 *
 * @throws {TypeError} that names the tool, the place in its definition and what the revision expects there.
 */
async function prepareTools(
  tools: readonly ServerTool[],
  { versions, loaded }: ServedRevisions,
): Promise<void> {
  for (const tool of tools) {
    for (const version of versions) assertListable(tool, loaded.get(version));
    await tool.load();
  }
}

/** Revisions that are loaded later list tools as those before them do. */
function assertListable(tool: ServerTool, revision: Revision | undefined): void {
  if (revision === undefined) return;
  const listed = listingIn(tool, revision.dialect);
  const problem = revision.checkResult(METHODS.toolsList, { ...LIST, tools: [listed] });
  if (problem === undefined) return;
  const [fault] = problem.faults;
  const place = fault?.pointer.replace(/^(?:\/result)?\/tools\/0/, '') ?? '';
  throw new TypeError(
    `${subjectOf('Tool', tool.name)} cannot be listed in ${revision.version}: ${place || 'it'} must be ${fault?.expected ?? problem.message}`,
  );
}

/**
 * @throws {TypeError} for a resource or prompt that `defineResource`, `defineResourceTemplate` or `definePrompt` did not
 *   make, and for two of one name or URI.
 */
function assertUnique(
  resources: readonly ServerResource[],
  prompts: readonly ServerPrompt[],
): void {
  assertEach('resources', 'defineResource or defineResourceTemplate', 'read', resources);
  assertEach('prompts', 'definePrompt', 'get', prompts);
  const uris = resources.map((each) => (each.kind === 'resource' ? each.uri : each.uriTemplate));
  assertNoneTwice('resources have the URI', uris);
  assertNoneTwice(
    'prompts are called',
    prompts.map(({ name }) => name),
  );
}

function assertEach(option: string, maker: string, handler: string, given: unknown): void {
  if (!Array.isArray(given)) {
    throw new TypeError(`\`${option}\` must be a list of what ${maker} returns`);
  }
  const wrong = given.findIndex(
    (each) =>
      !(
        isObject(each) &&
        Array.isArray(each['features']) &&
        isObject(each['listing']) &&
        typeof each[handler] === 'function'
      ),
  );
  if (wrong >= 0) throw new TypeError(`${option}[${wrong}] is not made by ${maker}`);
}

/** In one pass, because a server may have 100,000 resources. */
function assertNoneTwice(what: string, names: readonly string[]): void {
  const seen = new Set<string>();
  for (const name of names) {
    if (seen.has(name)) throw new TypeError(`Two ${what} ${name}`);
    seen.add(name);
  }
}
