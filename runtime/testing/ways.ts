import { DIALECT_VERSIONS } from '../protocol.js';
import type { ServerDefinition, ServerTool, TaskServer } from '../server/index.js';
import type { Dialect } from '../tasks/index.js';
import {
  type CallOptions,
  createTaskClient,
  type DeclaredCapabilities,
  type InputHandlers,
  type TaskClient,
} from '../client/index.js';

type Kind = 'plain' | 'task';

/** How a client calls a tool: as a plain call, for which it declares no tasks, or as a task, in the revision of each dialect. */
export type Way = `${Kind} ${(typeof DIALECT_VERSIONS)[Dialect]}`;

/** What a way stands for. */
export interface WayParts {
  readonly kind: Kind;
  readonly dialect: Dialect;
  readonly revision: (typeof DIALECT_VERSIONS)[Dialect];
}

const PARTS: ReadonlyMap<Way, WayParts> = new Map(
  (['core', 'ext'] as const).flatMap((dialect) =>
    (['plain', 'task'] as const).map((kind): [Way, WayParts] => {
      const revision = DIALECT_VERSIONS[dialect];
      return [`${kind} ${revision}`, { kind, dialect, revision }];
    }),
  ),
);

/** All ways, in the order in which they are tried. */
const WAYS: readonly Way[] = [...PARTS.keys()];

/** @throws {TypeError} for what is no way. */
export function partsOf(way: Way): WayParts {
  const parts = PARTS.get(way);
  if (parts !== undefined) return parts;
  throw new TypeError(`Unknown way ${JSON.stringify(way)}: choose from ${WAYS.join(', ')}`);
}

/** The ways in which clients can call the tools of a server. */
export function waysOfServer({ revisions, capabilities }: TaskServer): Way[] {
  return WAYS.filter((way) => {
    const { kind, dialect, revision } = partsOf(way);
    if (!revisions.includes(revision)) return false;
    if (kind === 'plain' || capabilities === undefined) return true;
    if (dialect === 'ext') return capabilities.ext !== undefined;
    return capabilities.core?.tasks.requests?.tools?.call !== undefined;
  });
}

/** At least one. */
export type SomeWays = readonly [Way, ...Way[]];

/**
 * The ways of a server in which one of its tools can be called.
 *
 * @throws {TypeError} for a tool that the server does not have, and for one that cannot be called at all.
 */
export function waysOfTool(
  name: string,
  definition: ServerDefinition,
  ways: readonly Way[],
): SomeWays {
  const { tools, guest, tasksAsTools = false } = definition;
  const tool = tools.find((each) => each.name === name);
  if (tool !== undefined) {
    const why = `it has taskSupport ${tool.taskSupport}`;
    return some(
      ways.filter((way) => takes(tool, partsOf(way))),
      name,
      why,
    );
  }
  // Tools of a guest, and those for tasks, are not in the definition. They are called plainly.
  if (guest !== undefined || tasksAsTools !== false) {
    const plain = ways.filter((way) => partsOf(way).kind === 'plain');
    return some(plain, name, 'it is called plainly');
  }
  const names = tools.map((each) => each.name).join(', ');
  throw new TypeError(`The server has no tool ${JSON.stringify(name)}. It has: ${names}`);
}

/** Whether a tool can be called in a way. */
function takes(
  { taskSupport, prepare, retryable, asks = [] }: ServerTool,
  { kind, dialect }: WayParts,
): boolean {
  if (kind === 'task') return taskSupport !== 'forbidden';
  if (taskSupport !== 'optional' || dialect === 'core') return taskSupport !== 'required';
  // In `ext` the answer to a question is another request: a run that must not start again needs a task to ask.
  return asks.length === 0 || retryable || prepare !== undefined;
}

function some([first, ...others]: readonly Way[], tool: string, why: string): SomeWays {
  if (first !== undefined) return [first, ...others];
  throw new TypeError(`No client can call ${tool}: ${why}, and the server offers no such way`);
}

interface WayClientOptions {
  /** Default: the newest revision of the server, with tasks. */
  readonly way?: Way | undefined;
  readonly answer?: InputHandlers | undefined;
  readonly onError: (error: Error) => void;
}

const INFO = { name: 'test', version: '1.0.0' };

/** A client that calls tools in one way. It is not connected. */
export function wayClient({ way, answer = {}, onError }: WayClientOptions): TaskClient {
  if (way === undefined) return createTaskClient({ ...INFO, answer, onError });
  const { kind, revision } = partsOf(way);
  const options = { ...INFO, revisions: [revision], answer, onError };
  if (kind === 'task') return createTaskClient(options);
  return withoutTasks(createTaskClient({ ...options, capabilities: capabilitiesOf(answer) }));
}

/** What a client declares that has no tasks. */
function capabilitiesOf({ form, url, sampling, roots }: InputHandlers): DeclaredCapabilities {
  return {
    ...((form ?? url) && { elicitation: { ...(form && { form: {} }), ...(url && { url: {} }) } }),
    ...(sampling && { sampling: {} }),
    ...(roots && { roots: {} }),
  };
}

/** A client that asks for no task where the client decides, unless a call says otherwise. */
function withoutTasks(client: TaskClient): TaskClient {
  const plain = (options: CallOptions = {}): CallOptions => ({ asTask: false, ...options });
  const calls: Pick<TaskClient, 'start' | 'call'> = {
    start: (tool, args, options) => client.start(tool, args, plain(options)),
    call: (tool, args, options) => client.call(tool, args, plain(options)),
  };
  return Object.assign(Object.create(client) as TaskClient, calls);
}
