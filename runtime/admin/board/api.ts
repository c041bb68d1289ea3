import type { IncomingMessage } from 'node:http';
import { indented, type PayloadView, recordIn, size, summaryIn } from '../print.js';
import {
  administer,
  type AdministeredStore,
  clockOf,
  isTerminal,
  mayRetry,
  parseProgressText,
  type TaskRecord,
  type TaskSummary,
  type StatusCounts,
} from '../../tasks/index.js';
import { type Answer, BadRequest, json, refusal } from './answer.js';
import { actionIn, idIn, searchIn, single } from './query.js';
import { search } from './search.js';

/** What was done with the board. Its members are those of the audit's events. */
export interface BoardAction {
  readonly type: 'cancelled' | 'retried' | 'payloads_shown';
  /** Milliseconds since the epoch. */
  readonly at: number;
  /** `board`, or the issuer, subject and client of the token as JSON. */
  readonly by: string;
  readonly taskId: string;
  readonly owner: string;
  readonly dialect: string;
  readonly method: string;
  readonly tool?: string;
  /** The id of the new task. */
  readonly retriedAs?: string;
}

export interface ApiOptions {
  readonly store: AdministeredStore;
  /** Whether the page may ask for arguments, answers and results. */
  readonly payloads: boolean;
  readonly onAction: (action: BoardAction) => void;
}

/** Bytes of one payload that are shown. */
const LONGEST_PAYLOAD = 65_536;

/** Milliseconds for which payloads that are shown again are not reported again. */
const LOOK_MS = 60_000;
const MOST_LOOKS = 1_000;

/** Answers requests below `/api`. Rejects with BadRequest, a TaskError, or what the store rejects with. */
export type Api = (request: IncomingMessage, url: URL, by: string) => Promise<Answer>;

export function createApi({ store, payloads, onAction }: ApiOptions): Api {
  const clock = clockOf(store);
  const tasks = administer(store, clock);
  const looks = new Map<string, number>();
  const counts = createCounts(() => store.administration.count(clock.now()));

  function note(
    type: BoardAction['type'],
    by: string,
    task: TaskSummary,
    retriedAs?: string,
  ): void {
    const { id, owner, dialect, method, tool } = task;
    onAction({
      ...{ type, at: Date.now(), by, taskId: id, owner, dialect, method },
      ...(tool !== undefined && { tool }),
      ...(retriedAs !== undefined && { retriedAs }),
    });
  }

  /** A page reads the task again at each change of it, which is the same look. */
  function isNewLook(look: string): boolean {
    const now = performance.now();
    if (now - (looks.get(look) ?? -Infinity) < LOOK_MS) return false;
    if (looks.size >= MOST_LOOKS) looks.clear();
    looks.set(look, now);
    return true;
  }

  async function list(parameters: URLSearchParams): Promise<Answer> {
    const found = await search(tasks, searchIn(parameters));
    return json({ ...found, tasks: found.tasks.map(rowOf) });
  }

  async function one(id: string, parameters: URLSearchParams, by: string): Promise<Answer> {
    const { payloads: wanted = '0' } = single(parameters, ['payloads']);
    if (wanted === '1' && !payloads) throw new BadRequest('The board shows no payloads', 403);
    const task = await tasks.inspect(id);
    if (wanted === '1' && isNewLook(`${by} ${id}`)) note('payloads_shown', by, task);
    return json({ task: detailsOf(task, wanted === '1' ? shortened : size), payloads });
  }

  async function act(name: string, id: string, request: IncomingMessage, by: string) {
    const { again } = await actionIn(request);
    if (name === 'cancel') {
      const task = await tasks.cancel(id);
      note('cancelled', by, task);
      return json({ id: task.id });
    }
    const first = await tasks.inspect(id);
    const { id: retriedAs } = await tasks.retry(id, { again });
    note('retried', by, first, retriedAs);
    return json({ id, retriedAs });
  }

  return async (request, { pathname, searchParams }, by) => {
    const [, name = '', id, action, ...more] = pathname.slice(1).split('/');
    const isAction = action === 'cancel' || action === 'retry';
    const isKnown =
      more.length === 0 &&
      (name === 'counts'
        ? id === undefined
        : name === 'tasks' && (action === undefined || isAction));
    if (!isKnown) return refusal(404, 'Not found');
    const allowed = isAction ? 'POST' : 'GET';
    if (request.method !== allowed) {
      return refusal(405, `The method must be ${allowed}`, { allow: allowed });
    }
    if (isAction && id !== undefined) {
      single(searchParams, []);
      return act(action, idIn('id', id), request, by);
    }
    if (id !== undefined) return one(idIn('id', id), searchParams, by);
    if (name === 'tasks') return list(searchParams);
    single(searchParams, []);
    return json(await counts());
  };
}

/** A task in the list, and what else is known of it, as JSON for the page. */
export type Row = ReturnType<typeof rowOf>;
export type Details = ReturnType<typeof detailsOf>;

/** A text of a client, a user or a handler: its size, and the text itself when the page asked for it. */
export interface Payload {
  readonly bytes: number;
  readonly text?: string;
  readonly isCut?: boolean;
}

function rowOf(task: TaskSummary) {
  const { statusMessage } = task;
  const progress = statusMessage === undefined ? undefined : parseProgressText(statusMessage);
  return { ...summaryIn(task), progress };
}

function detailsOf(task: TaskRecord, view: PayloadView<Payload>) {
  const [, traceId] = task.trace?.['traceparent']?.split('-') ?? [];
  return {
    ...rowOf(task),
    ...recordIn(task, view),
    traceId,
    mayCancel: !isTerminal(task.status),
    mayRetry: mayRetry(task),
  };
}

/** As a person reads it, and never more than the page can show. */
const shortened: PayloadView<Payload> = (text) => ({
  ...size(text),
  ...indented(text, LONGEST_PAYLOAD),
});

interface Counted {
  readonly counts: StatusCounts;
  /** Milliseconds since the epoch. */
  readonly at: number;
  /** Milliseconds after which a newer count may be asked for. */
  readonly nextMs: number;
}

/** A count of a million tasks takes a second: the store counts for a tenth of the time at most. */
const SHARE = 10;
const SHORTEST_PAUSE_MS = 500;

/** Counts when asked, unless the last count is too young. Those who ask at the same time share one count. */
export function createCounts(count: () => Promise<StatusCounts>): () => Promise<Counted> {
  let last: { readonly counts: StatusCounts; readonly at: number } | undefined;
  let running: Promise<void> | undefined;
  let dueAt = -Infinity;

  async function run(): Promise<void> {
    const began = performance.now();
    try {
      last = { counts: await count(), at: Date.now() };
    } finally {
      const now = performance.now();
      dueAt = now + Math.max(SHORTEST_PAUSE_MS, SHARE * (now - began));
      running = undefined;
    }
  }

  return async () => {
    if (last === undefined || running !== undefined || performance.now() >= dueAt) {
      await (running ??= run());
    }
    if (last === undefined) throw new Error('The tasks could not be counted');
    return { ...last, nextMs: Math.max(0, Math.ceil(dueAt - performance.now())) };
  };
}
