import { isTerminal } from '../../runtime/rules/tasks.js';
import { noFindings } from './severity.js';
import type { FindingCounts } from './severity.js';
import type { TaskFact } from './state.js';

/** A task over the recording. */
export interface Task {
  readonly taskId: string;
  readonly file: number;
  dialect: 'core' | 'ext' | undefined;
  /** The method of the request that became the task, and what it called. */
  origin: string;
  /** Each new status with the message that contained it. */
  readonly states: State[];
  /** The first and the last message about it. */
  readonly first: Moment;
  last: Moment;
  messages: number;
  readonly findings: FindingCounts;
  questions: number;
  /** The times that the task itself gives. */
  created: string | undefined;
  updated: string | undefined;
}

export interface State extends Moment {
  readonly status: string;
}

export interface Moment {
  /** Of the message. */
  readonly number: number;
  readonly ms: number | undefined;
}

/** Of one recording; messages about further tasks are shown without their task. */
const MOST_TASKS = 2_000;
/** Of one task. */
const MOST_STATES = 200;
const LONGEST_ID = 1_000;

/** The tasks of a recording, in the order of their first messages. */
export class Tasks {
  readonly list: Task[] = [];
  /** The number of messages about tasks beyond the limit. */
  missed = 0;
  #byId = new Map<string, number>();

  /** Notes what a message says. Returns the task's index, and whether its status is new. */
  note(file: number, fact: TaskFact, moment: Moment): { task?: number; isChange: boolean } {
    const index = this.#indexOf(file, fact.taskId, moment);
    const task = index === undefined ? undefined : this.list[index];
    if (index === undefined || !task) {
      this.missed += 1;
      return { isChange: false };
    }
    task.dialect ??= fact.dialect;
    task.created ??= fact.created;
    task.updated = fact.updated ?? task.updated;
    return { task: index, isChange: note(task, fact.status, moment) };
  }

  #indexOf(file: number, taskId: string, moment: Moment): number | undefined {
    const key = `${String(file)} ${taskId.slice(0, LONGEST_ID)}`;
    const known = this.#byId.get(key);
    if (known !== undefined) return known;
    if (this.list.length >= MOST_TASKS) return undefined;
    this.#byId.set(key, this.list.length);
    this.list.push({
      taskId: taskId.slice(0, LONGEST_ID),
      file,
      dialect: undefined,
      origin: '',
      states: [],
      first: moment,
      last: moment,
      messages: 0,
      findings: noFindings(),
      questions: 0,
      created: undefined,
      updated: undefined,
    });
    return this.list.length - 1;
  }
}

function note(task: Task, status: string | undefined, moment: Moment): boolean {
  const before = task.states.at(-1)?.status;
  // An answer that was overtaken by the end of the task does not start it again.
  const isLate = isTerminal(before) && !isTerminal(status);
  if (status === undefined || status === before || isLate) return false;
  if (task.states.length >= MOST_STATES) return false;
  task.states.push({ ...moment, status });
  return true;
}
