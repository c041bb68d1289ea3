import type { Answers, Caller, InputEntry, TaskEngine, TaskRecord } from '../../tasks/index.js';
import { outstanding } from '../../tasks/index.js';
import { isObject } from '../../wire/json.js';

/** Sends one question of a task to a client and resolves with its answer, which may be a JSON-RPC error. */
export type Deliver = (task: TaskRecord, entry: InputEntry) => Promise<Answers[string]>;

/** Decides which of several `tasks/result` requests carries a question of a core task. */
export interface InputDelivery {
  /**
   * Sends the questions of a task to one listener until it is detached. When several requests listen to
   * the same task, each question goes to one of them, and to another when that one disconnects.
   */
  attach(caller: Caller, deliver: Deliver): Attached;
}

export interface Attached {
  offer(task: TaskRecord): void;
  detach(): void;
}

interface Route {
  readonly claimed: Set<string>;
  readonly listeners: Set<Attached>;
  latest: TaskRecord;
}

export function createInputDelivery(
  engine: TaskEngine,
  onProblem: (error: unknown) => void,
): InputDelivery {
  const routes = new Map<string, Route>();

  function routeOf(task: TaskRecord): Route {
    const route = routes.get(task.id) ?? { claimed: new Set(), listeners: new Set(), latest: task };
    routes.set(task.id, route);
    if (task.version > route.latest.version) route.latest = task;
    return route;
  }

  return {
    attach(caller, deliver) {
      let mine: { readonly id: string; readonly route: Route } | undefined;

      async function put(route: Route, task: TaskRecord, entry: InputEntry): Promise<void> {
        route.claimed.add(entry.key);
        let answered = false;
        try {
          const answer = await deliver(task, entry);
          await engine.answer(caller, task.id, { [entry.key]: answer });
          answered = true;
        } catch (error) {
          if (mine !== undefined) onProblem(error);
        }
        route.claimed.delete(entry.key);
        if (answered) return;
        attached.detach();
        for (const other of route.listeners) other.offer(route.latest);
      }

      const attached: Attached = {
        offer(task) {
          const route = routeOf(task);
          mine = { id: task.id, route };
          route.listeners.add(attached);
          for (const entry of outstanding(route.latest.input)) {
            if (!route.claimed.has(entry.key)) void put(route, task, entry);
          }
        },
        detach() {
          if (mine === undefined) return;
          const { id, route } = mine;
          mine = undefined;
          route.listeners.delete(attached);
          if (route.listeners.size === 0 && routes.get(id) === route) routes.delete(id);
        },
      };
      return attached;
    },
  };
}

/** The client's JSON-RPC error as an answer; undefined when something else was thrown. */
export function asAnswer(error: unknown): Answers[string] | undefined {
  if (!isObject(error) || !Number.isSafeInteger(error['code'])) return undefined;
  const { code, message, data } = error;
  return {
    error: { code: Number(code), message: String(message), ...(data !== undefined && { data }) },
  };
}
