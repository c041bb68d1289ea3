import type { Answers, Caller, InputEntry, TaskEngine, TaskRecord } from '../tasks/index.js';
import { outstanding } from '../tasks/index.js';
import { isObject } from '../wire/json.js';

/** Puts one question of a task to a requestor. Rejects with a JSON-RPC error only if that is the answer. */
export type Carry = (task: TaskRecord, entry: InputEntry) => Promise<Answers[string]>;

export interface Courier {
  /**
   * Carries the questions of a task to one requestor for as long as it listens. Of several that
   * listen to the same task each question goes to one; to the next, if that one goes away.
   */
  attach(caller: Caller, carry: Carry): Attached;
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

export function createCourier(engine: TaskEngine, onProblem: (error: unknown) => void): Courier {
  const routes = new Map<string, Route>();

  function routeOf(task: TaskRecord): Route {
    const route = routes.get(task.id) ?? { claimed: new Set(), listeners: new Set(), latest: task };
    routes.set(task.id, route);
    if (task.version > route.latest.version) route.latest = task;
    return route;
  }

  return {
    attach(caller, carry) {
      let mine: { readonly id: string; readonly route: Route } | undefined;

      async function put(route: Route, task: TaskRecord, entry: InputEntry): Promise<void> {
        route.claimed.add(entry.key);
        let answered = false;
        try {
          const answer = await carry(task, entry);
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

/** What a requestor answered instead of a result, if that is what was thrown. */
export function asAnswer(error: unknown): Answers[string] | undefined {
  if (!isObject(error) || !Number.isSafeInteger(error['code'])) return undefined;
  const { code, message, data } = error;
  return {
    error: { code: Number(code), message: String(message), ...(data !== undefined && { data }) },
  };
}
