import { quote } from '../../../json-schema/text.js';
import { at, textAt } from '../access.js';
import { BoundedMap } from '../bounded.js';
import { BOUNDS } from '../exchanges.js';
import { cut } from '../finding.js';
import type { Breach } from '../finding.js';
import { NOTHING } from './subject.js';
import type { AnsweredRequest, Subject } from './subject.js';

/** Pages of tasks/list, from the first on. */
interface Walk {
  readonly startedAt: number;
  readonly ids: Set<string>;
  /** The cursor of the next page. */
  next: string | undefined;
  /** The number of messages before the last page. */
  endedAt: number | undefined;
}

/** Tasks of a list. A longer one is not followed. */
const MOST_TASKS = 5_000;

/** Whether tasks/list has the tasks that tasks/get finds, for the client. */
export class TaskLists implements Subject {
  /** By task, the number of messages before the first answer to tasks/get. */
  #found = new BoundedMap<number>(BOUNDS);
  #walk: Walk | undefined;
  #whole: Walk | undefined;

  answer({ request, result, dialect, before }: AnsweredRequest): readonly Breach[] {
    const { method, sender, cursor, at: asked, taskId } = request;
    if (dialect.tasks !== 'core' || sender !== 'client' || result === undefined) return NOTHING;
    if (method === 'tasks/list') this.#list(result, cursor, asked, before);
    return method === 'tasks/get' && taskId !== undefined
      ? this.#find(taskId, asked, before)
      : NOTHING;
  }

  #find(taskId: string, asked: number, before: number): readonly Breach[] {
    const first = this.#found.get(taskId);
    if (first === undefined) this.#found.set(taskId, before, []);
    const { startedAt = 0, endedAt = Infinity, ids } = this.#whole ?? {};
    if (
      first === undefined ||
      first >= startedAt ||
      asked <= endedAt ||
      ids?.has(taskId) !== false
    ) {
      return NOTHING;
    }
    const message = `tasks/get found the task ${quote(cut(taskId))} before and after tasks/list, which does not have it.`;
    return [{ code: 'unlisted-task', message, key: ['result', 'taskId'] }];
  }

  #list(result: unknown, cursor: string | undefined, asked: number, before: number): void {
    if (cursor === undefined)
      this.#walk = { startedAt: asked, ids: new Set(), next: undefined, endedAt: undefined };
    else if (cursor !== this.#walk?.next) this.#walk = undefined;
    const walk = this.#walk;
    const tasks = at(result, 'tasks');
    if (walk === undefined || !Array.isArray(tasks)) return;
    for (const task of tasks as unknown[]) {
      const id = textAt(task, 'taskId');
      if (id !== undefined && id.length < 200) walk.ids.add(id);
    }
    walk.next = textAt(result, 'nextCursor');
    if (walk.ids.size > MOST_TASKS) this.#walk = undefined;
    else if (walk.next === undefined) {
      this.#whole = { ...walk, endedAt: before };
      this.#walk = undefined;
    }
  }
}
