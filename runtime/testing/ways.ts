import { DIALECT_VERSIONS } from '../protocol/index.js';
import type { ServerDefinition, TaskServer } from '../server/index.js';
import type { Dialect } from '../tasks/index.js';

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
export const WAYS: readonly Way[] = [...PARTS.keys()];

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

/**
 * The ways of a server in which one of its tools can be called.
 *
 * @throws {TypeError} for a tool that the server does not have, and for one that cannot be called at all.
 */
export function waysOfTool(
  name: string,
  { tools, guest, tasksAsTools = false }: ServerDefinition,
  ways: readonly Way[],
): Way[] {
  const tool = tools.find((each) => each.name === name);
  if (tool === undefined) {
    // Tools of a guest, and those for tasks, are not in the definition.
    if (guest !== undefined || tasksAsTools !== false)
      return ways.filter((way) => partsOf(way).kind === 'plain');
    const names = tools.map((each) => each.name).join(', ');
    throw new TypeError(`The server has no tool ${JSON.stringify(name)}. It has: ${names}`);
  }
  const { taskSupport, prepare, retryable, asks = [] } = tool;
  // A run that asks and must not start again needs a task, where the answer to a question is another request.
  const needsTask = taskSupport === 'optional' && asks.length > 0 && !retryable && !prepare;
  const found = ways.filter((way) => {
    const { kind, dialect } = partsOf(way);
    if (kind === 'task') return taskSupport !== 'forbidden';
    return taskSupport !== 'required' && !(needsTask && dialect === 'ext');
  });
  if (found.length > 0) return found;
  throw new TypeError(
    `No client can call ${name}: it has taskSupport ${taskSupport}, and the server offers ${ways.join(', ')}`,
  );
}
