import { EXTENSION_ID, REVISIONS } from '../protocol/index.js';
import type { Dialect, JsonObject } from '../tasks/index.js';
import type { Revision } from '../wire/revision.js';
import { declaresCoreCalls, declaresRequest, type TaskCapabilities } from './declaration.js';

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
  if (dialect === 'ext') return { extensions: { [EXTENSION_ID]: {} } };
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
