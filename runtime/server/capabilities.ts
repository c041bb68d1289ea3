import type { RequestMap } from '../../generated/2025-11-25/protocol.js';
import type { ServerCapabilities as ExtCapabilities } from '../../generated/2026-07-28/types.js';
import type { EXTENSION_ID } from '../protocol.js';
import { DIALECT_VERSIONS, type METHODS, REVISIONS } from '../protocol.js';
import type { Dialect, JsonObject } from '../tasks/index.js';
import { at, isObject } from '../peer/wire/json.js';
import type { Revision } from '../peer/wire/revision.js';
import { TASKS_EXTENSION } from '../rules/messages.js';
import { type Ask, asksOf } from '../rules/questions.js';
import { shapeOf } from './asks.js';
import type { ServerTool, TaskSupport } from './tool.js';

/** What is declared about tasks, and so served. */
export interface ServedTasks {
  readonly tasks: boolean;
  /** Whether calls of tools become tasks. */
  readonly calls: boolean;
  /** `tasks/cancel` of the core dialect. */
  readonly cancel: boolean;
  /** `tasks/list` of the core dialect. It needs identified clients. */
  readonly list: boolean;
}

/** What a server serves about tasks to the clients of one endpoint. */
export function servedTasks(
  dialect: Dialect,
  declared: TaskCapabilities,
  isIdentified: boolean,
): ServedTasks {
  return {
    tasks: declared[dialect] !== undefined,
    calls: declaresCoreCalls(declared),
    cancel: declaresRequest(declared, 'cancel'),
    list: isIdentified && declaresRequest(declared, 'list'),
  };
}

/** What a server declares about tasks in a revision: exactly what it serves. */
export function taskCapabilities(
  { dialect, version }: Revision,
  { tasks, calls, cancel, list }: ServedTasks,
): JsonObject {
  if (!tasks) return {};
  if (dialect === 'ext') return TASKS_EXTENSION;
  if (!hasOwnTasks(version)) return {};
  return {
    tasks: {
      ...(list && { list: {} }),
      ...(cancel && { cancel: {} }),
      ...(calls && { requests: { tools: { call: {} } } }),
    },
  };
}

/** Whether the messages of a revision include tasks: sessions of the older ones have none. */
export function hasOwnTasks(version: string): boolean {
  return WITH_TASKS.has(version);
}

const WITH_TASKS: ReadonlySet<string> = /* @__PURE__ */ withTasks();

function withTasks(): ReadonlySet<string> {
  const all = Object.entries(REVISIONS).filter(([, { tasks }]) => tasks);
  return new Set(all.map(([version]) => version));
}

/** In any revision. */
export type ServerCapabilities = ExtCapabilities &
  Pick<Handshake['result']['capabilities'], 'tasks'>;

type Handshake = RequestMap[typeof METHODS.initialize];

/**
 * What a server declares about tasks, and so serves, in the shapes that the revisions give it. A dialect
 * that is absent is not served.
 */
export interface TaskCapabilities {
  /** Tasks of revision 2025-11-25, as in the answer to `initialize`. */
  readonly core?: Required<Pick<Handshake['result']['capabilities'], 'tasks'>>;
  /** The tasks extension of revision 2026-07-28, as in the answer to `server/discover`. */
  readonly ext?: { readonly extensions: { readonly [ID in typeof EXTENSION_ID]: object } };
  /** What tools, resources and prompts may ask of clients, as a client declares it. */
  readonly asks?: Pick<Handshake['params']['capabilities'], 'elicitation' | 'sampling' | 'roots'>;
}

type DeclaresTasks =
  | {
      readonly core: {
        readonly tasks: { readonly requests: { readonly tools: { call: object } } };
      };
    }
  | { readonly ext: object };

type DeclaredAsks<A> =
  | (A extends { elicitation: infer E }
      ? 'url' extends keyof E
        ? `elicitation.${Extract<keyof E, 'form' | 'url'>}`
        : 'elicitation.form'
      : never)
  | (A extends { sampling: infer S }
      ? | 'sampling'
        | ('context' extends keyof S ? 'sampling.context' : never)
        | ('tools' extends keyof S ? 'sampling.tools' : never)
      : never)
  | (A extends { roots: object } ? 'roots' : never);

type SupportOf<T extends ServerTool> = T['taskSupport'];
type AsksOf<T extends ServerTool> = NonNullable<T['asks']>[number];
type Undeclared<T extends ServerTool, C> = Exclude<
  AsksOf<T>,
  C extends { asks: infer A } ? DeclaredAsks<A> : never
>;

/**
 * What a declaration lacks for these tools, as a property that it would need; `unknown` when it lacks
 * nothing. Where the type of the tools or of the declaration does not show it, `createTaskServer` checks.
 */
export type Missing<T extends ServerTool, C> =
  ShowsNothing<C> extends true ? unknown : MissingTasks<T, C> & MissingAsks<T, C>;

/** Whether a declaration has the type `TaskCapabilities` itself. */
type ShowsNothing<C> = [keyof TaskCapabilities] extends [keyof C]
  ? [TaskCapabilities] extends [C]
    ? true
    : false
  : false;

type MissingTasks<T extends ServerTool, C> = [TaskSupport] extends [SupportOf<T>]
  ? unknown
  : [Exclude<SupportOf<T>, 'forbidden'>] extends [never]
    ? unknown
    : C extends DeclaresTasks
      ? unknown
      : { readonly 'declare core or ext: a tool has taskSupport': true };

type MissingAsks<T extends ServerTool, C> = [Ask] extends [AsksOf<T>]
  ? unknown
  : [Undeclared<T, C>] extends [never]
    ? unknown
    : { readonly [A in Undeclared<T, C> as `declare in asks: a tool asks for ${A}`]: true };

/** What a server declares that lists nothing itself: all that its tools need, in the revisions that it offers. */
export function capabilitiesFor(
  tools: readonly ServerTool[],
  versions: readonly string[],
): TaskCapabilities {
  if (tools.every(({ taskSupport }) => taskSupport === 'forbidden')) return {};
  const tasks = { list: {}, cancel: {}, requests: { tools: { call: {} } } };
  return {
    ...(versions.includes(DIALECT_VERSIONS.core) && { core: { tasks } }),
    ...(versions.includes(DIALECT_VERSIONS.ext) && { ext: TASKS_EXTENSION }),
  };
}

/** Whether calls of tools become tasks of the core dialect. */
function declaresCoreCalls(capabilities: TaskCapabilities): boolean {
  return isObject(at(capabilities, ['core', 'tasks', 'requests', 'tools', 'call']));
}

/** Whether the declaration covers `tasks/list` or `tasks/cancel` of the core dialect. */
function declaresRequest({ core }: TaskCapabilities, request: 'list' | 'cancel'): boolean {
  return isObject(at(core, ['tasks', request]));
}

/** @throws {TypeError} when the tools need what the declaration does not name. */
export function assertDeclared(tools: readonly ServerTool[], capabilities: TaskCapabilities): void {
  const { core, ext, asks } = capabilities;
  const tasked = tools.find(({ taskSupport }) => taskSupport !== 'forbidden');
  const fix = 'requests: { tools: { call: {} } }';
  if (tasked && core && !declaresCoreCalls(capabilities)) {
    throw new TypeError(
      `Tool ${tasked.name} has taskSupport "${tasked.taskSupport}", but core.tasks does not declare calls of tools: add ${fix} to core.tasks, or remove taskSupport`,
    );
  }
  if (tasked && !core && !ext) {
    throw new TypeError(
      `Tool ${tasked.name} has taskSupport "${tasked.taskSupport}", but the capabilities declare no tasks: add core: { tasks: { ${fix} } } or ext, or remove taskSupport`,
    );
  }
  const declared = asksOf(asks);
  for (const tool of tools) {
    const missing = tool.asks?.find((ask) => !declared.includes(ask));
    if (missing === undefined) continue;
    throw new TypeError(
      `Tool ${tool.name} asks for ${missing}, which the capabilities do not declare: add ${shapeOf(missing)} to asks`,
    );
  }
}

/** @throws {TypeError} when the declaration names a dialect whose revision clients may not speak. */
export function assertOffered(capabilities: TaskCapabilities, versions: readonly string[]): void {
  for (const dialect of ['core', 'ext'] as const) {
    const version = DIALECT_VERSIONS[dialect];
    if (capabilities[dialect] === undefined || versions.includes(version)) continue;
    throw new TypeError(
      `The capabilities declare ${dialect}, whose tasks are part of revision ${version}: add ${version} to \`revisions\`, or remove ${dialect}`,
    );
  }
}

/**
 * @throws {TypeError} when the declaration needs users who are identified, and nothing identifies them.
 */
export function assertUnidentified(
  capabilities: TaskCapabilities,
  asksUnidentified: boolean,
): void {
  if (declaresRequest(capabilities, 'list')) {
    throw new TypeError(
      'The capabilities declare core.tasks.list, but without authorization clients cannot be told apart: set `auth`, or remove list',
    );
  }
  if (capabilities.asks?.elicitation && !asksUnidentified) {
    throw new TypeError(
      'The capabilities declare asks.elicitation, but without authorization anybody could answer: set `auth`, remove elicitation, or set `allowUnidentifiedInput: true`',
    );
  }
}
