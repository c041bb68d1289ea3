import { REQUESTS, type RequestMap } from '../../generated/2025-11-25/protocol.js';
import type { EXTENSION_ID } from '../../generated/ext-tasks/protocol.js';
import { METHODS } from '../protocol/index.js';
import type { Dialect } from '../tasks/index.js';
import { at, isObject } from '../wire/json.js';
import { type Ask, asksOf, shapeOf } from './asks.js';
import type { ServerTool, TaskSupport } from './tool.js';

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
      ? 'sampling' | ('tools' extends keyof S ? 'sampling.tools' : never)
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
 * nothing. Tools whose type does not say what they do are checked when the server is created.
 */
export type Missing<T extends ServerTool, C> = MissingTasks<T, C> & MissingAsks<T, C>;

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

/** The dialects that a declaration names. */
export function declaredDialects({ core, ext }: TaskCapabilities): Dialect[] {
  return [...(core ? ['core' as const] : []), ...(ext ? ['ext' as const] : [])];
}

/** Whether calls of tools become tasks of the core dialect. */
export function declaresCoreCalls(capabilities: TaskCapabilities): boolean {
  return isObject(at(capabilities, ['core', 'tasks', 'requests', 'tools', 'call']));
}

/** Whether the declaration covers a request of revision 2025-11-25, by that revision's table. */
export function declaresRequest(
  { core = { tasks: {} } }: TaskCapabilities,
  method: typeof METHODS.tasksCancel | typeof METHODS.tasksList,
): boolean {
  return REQUESTS[method].capabilities
    .filter(({ party }) => party === 'server')
    .every(({ path }) => isObject(at(core, [...path])));
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

/**
 * @throws {TypeError} when the declaration needs users who are identified, and nothing identifies them.
 */
export function assertUnidentified(
  capabilities: TaskCapabilities,
  asksUnidentified: boolean,
): void {
  if (declaresRequest(capabilities, METHODS.tasksList)) {
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
