import { METHODS } from '../protocol.js';
import { onAdministered } from './administered.js';
import {
  type Clock,
  clockOf,
  createTimerQueue,
  createExpirer,
  roomFor,
  atMost,
  deferred,
  retry,
} from './clock.js';
import { type AuditSink, type AuditSubject, createAudit, type Telemetry } from './recorder.js';
import { createCursorCodec, isTaskId, newTaskId } from './ids.js';
import {
  type Caller,
  type CallerIdentity,
  DIALECTS,
  expiresAt,
  type JsonObject,
  type TaskKey,
  type TaskRecord,
  type TaskSummary,
} from './record.js';
import { overLimit, taskError, unknownTask } from './errors.js';
import { ABANDONED, type Abort, type Slot, type TaskExecutor } from './executor.js';
import { createAdmission, createRoom, createWaits, readMeta } from './admission.js';
import { ByteBudget, completeLimits, grantTtl, type TaskLimits, subjectKeyOf } from './limits.js';
import type { HandlerLookup } from './handler.js';
import { createHub, createWriter, type TaskListener } from './hub.js';
import { answer, type Answers, readAnswer } from './input.js';
import { encode, isObject, merged } from './json.js';
import { isTerminal } from '../rules/tasks.js';
import { messageOf } from './outcome.js';
import { createExecutorHost } from './host.js';
import type { TaskStore } from './store.js';

export interface TaskEngineOptions {
  readonly store: TaskStore;
  readonly executor: TaskExecutor;
  readonly handlers: HandlerLookup;
  readonly limits?: Partial<TaskLimits>;
  /** Milliseconds between polls that requestors are asked to keep. Default 1,000. */
  readonly pollInterval?: number;
  readonly audit?: AuditSink;
  /** Called with each task that is created here, and at each change of status that is made here. */
  readonly onStatus?: (task: TaskSummary) => void;
  /** Receives the faults of the store and of background work. Their messages hold no user data. */
  readonly onFault?: (error: unknown) => void;
  /** Receives why a task is left to other processes. The text holds no user data. */
  readonly onLeft?: (why: string) => void;
  /** Default: the store's time, or that of this process. */
  readonly clock?: Clock;
}

export interface CreateRequest {
  readonly method: string;
  readonly tool?: string;
  /** JSON for the handler. */
  readonly args: unknown;
  /** Who makes the request, for the handler: kept with the task. It does not decide who may use the task. */
  readonly caller?: CallerIdentity;
  /** Milliseconds, as the requestor sent it. */
  readonly ttl?: unknown;
  /** The request's `_meta`: progress token, trace context, idempotency key. */
  readonly meta?: JsonObject;
}

export interface TaskPage {
  readonly tasks: readonly TaskSummary[];
  readonly nextCursor?: string;
}

export interface Subscription {
  /** The task when the subscription began. */
  readonly task: TaskRecord;
  readonly end: () => void;
}

/**
 * Tasks of all owners in both dialects. The engine checks what a requestor sends. Every rejection is a
 * `TaskError`, except when a waiter's own signal aborts.
 */
export interface TaskEngine {
  /** Resolves once the task is stored; its handler starts later. */
  create(caller: Caller, request: CreateRequest): Promise<TaskRecord>;
  get(caller: Caller, id: unknown): Promise<TaskRecord>;
  list(caller: Caller, cursor?: unknown): Promise<TaskPage>;
  /**
   * Resolves with the ended task, at once when it has; rejects with the signal's reason on abort.
   * `onLive` receives the task as it is, and each change until then.
   */
  wait(
    caller: Caller,
    id: unknown,
    signal?: Abort,
    onLive?: (task: TaskRecord) => void,
  ): Promise<TaskRecord>;
  cancel(caller: Caller, id: unknown): Promise<TaskRecord>;
  /** Answers by input key. Answers to no open question are ignored; an ended task takes none. */
  answer(caller: Caller, id: unknown, answers: Answers): Promise<TaskRecord>;
  /**
   * Runs a call that does not become a task in one of its subject's slots. Rejects with what `work`
   * throws, with `limit` when too many of the subject's calls wait, and with the signal's reason.
   */
  call<T>(
    caller: Caller,
    tool: string,
    signal: Abort,
    work: (slot: Slot) => Promise<T>,
  ): Promise<T>;
  /** Events of one task from now on. The subscriber ends it, also after the task has ended. */
  subscribe(caller: Caller, id: unknown, listener: TaskListener): Promise<Subscription>;
  /** Records in the audit a refusal that happened before the engine was called. */
  refused(subject: AuditSubject, reason: string): void;
  /**
   * Refuses new tasks, lets those that run finish for `drainMs` (default 5,000), then refuses everything and rejects every
   * waiter. Within that time it goes on with calls and answers until `idle`. The store stays open.
   */
  close(drainMs?: number, idle?: Promise<unknown>): Promise<void>;
}

/** Leaves room for closing within the 10 s that container platforms wait before they kill. */
export const DEFAULT_DRAIN_MS = 5_000;

/** An engine that records its tasks with `telemetry`. */
export async function createEngine(
  options: TaskEngineOptions,
  telemetry: Telemetry,
): Promise<TaskEngine> {
  const { executor, handlers, pollInterval = 1_000 } = options;
  const { clock = clockOf(options.store) } = options;
  const limits = completeLimits(options.limits);
  const audit = createAudit(clock, options.audit);
  const store = telemetry.measured(options.store);
  const cursors = createCursorCodec(await store.secret());
  const hub = createHub({ ...limits, retryAfterMs: pollInterval });
  const writer = createWriter(store, hub, clock, options.onStatus);
  const timers = createTimerQueue(clock);
  const report = (error: unknown): void => {
    audit('fault', {}, messageOf(error));
    options.onFault?.(error);
  };
  const admission = createAdmission({ clock, limits, audit, telemetry, report, pollInterval });
  // Within the longest TTL every task that is there now has gone.
  const room = createRoom(
    createWaits(clock, {
      least: Math.min(pollInterval, limits.ttlMax),
      most: limits.ttlMax,
      keys: limits.ownersRemembered,
    }),
  );
  const held = new ByteBudget(limits.heldArgsBytes);
  const host = createExecutorHost({
    report,
    store,
    hub,
    writer,
    clock,
    timers,
    audit,
    telemetry,
    limits,
    handlers,
    held,
    onLeft(task, why) {
      audit('left', task, why);
      options.onLeft?.(why);
    },
  });
  const expirer = createExpirer({
    store,
    clock,
    timers,
    onRemoved(task) {
      audit('expired', task);
      hub.removed(task);
    },
    onFault: report,
  });
  const unwatch = store.watch?.((change) => {
    if (change.kind === 'removed') hub.removed(change.key);
    else void catchUp(change.key, change.version);
  });

  const endAdministered = onAdministered(options.store.administration, (change) => {
    if (change.kind === 'removed') return hub.removed(change.key);
    expirer.due(expiresAt(change.task));
    hub.changed(change.task);
  });

  /** Sends listeners here the changes of another process. */
  async function catchUp(key: TaskKey, version: number): Promise<void> {
    const isNewer = (): boolean => (hub.seen(key) ?? version) < version;
    const task = await retry({ timers, report }, isNewer, () => store.get(key));
    if (task !== undefined) hub.changed(task);
  }

  await executor.start(host);
  const unobserve = telemetry.observe(() => ({ ...host.runs(), ...executor.usage?.() }));

  /** Refuses a task whose arguments this process cannot keep beside those of others. */
  async function insertHeld(record: TaskRecord): Promise<TaskRecord> {
    const hold = held.take(subjectKeyOf(record), record.args.length);
    if (typeof hold === 'string') {
      const { heldArgsBytes } = limits;
      const most = hold === 'all' ? heldArgsBytes : heldArgsBytes / 2;
      throw overLimit('heldArgsBytes', most, pollInterval);
    }
    try {
      return await insert(record);
    } finally {
      // By now the run of the task keeps them.
      hold?.release();
    }
  }

  async function insert(record: TaskRecord): Promise<TaskRecord> {
    const reservation = await executor.reserve(subjectKeyOf(record));
    const stored: TaskRecord = reservation.immediate ? record : merged(record, { queued: true });
    const insertion = await store.insert(stored, limits).catch((error: unknown) => {
      reservation.unconfirmed(stored);
      throw error;
    });
    if (insertion.kind === 'inserted') {
      room.created(stored);
      audit('created', stored);
      telemetry.created(stored);
      options.onStatus?.(stored);
      expirer.due(expiresAt(stored));
      reservation.submit(stored);
      return stored;
    }
    reservation.cancel();
    if (insertion.kind === 'full') {
      throw overLimit(insertion.cap, limits[insertion.cap], room.refused(record, insertion.cap));
    }
    const existing = insertion.record;
    if (existing.idempotency?.digest !== record.idempotency?.digest) {
      throw taskError('idempotency_conflict', 'The idempotency key was used for another request');
    }
    audit('deduplicated', existing);
    return existing;
  }

  /** Subscribes before it reads, so that it misses no change; drops events older than the last one sent. */
  async function listen(key: TaskKey, listener: TaskListener): Promise<Subscription> {
    let newest: TaskRecord | undefined;
    const isNewer = (task: TaskRecord): boolean =>
      newest === undefined || task.version > newest.version;
    const end = hub.subscribe(key, (event) => {
      if (event.type === 'changed') {
        if (!isNewer(event.task)) return;
        newest = event.task;
      }
      listener(event);
    });
    try {
      const task = await writer.read(key);
      if (isNewer(task)) newest = task;
      return { task: newest ?? task, end };
    } catch (error) {
      end();
      throw error;
    }
  }

  let closing: Promise<void> | undefined;
  async function close(drainMs: number, idle?: Promise<unknown>): Promise<void> {
    await admission.drain();
    await executor.drain?.();
    const began = clock.monotonic();
    if (idle !== undefined) await atMost(clock, drainMs, idle);
    const waited = idle === undefined ? 0 : clock.monotonic() - began;
    await executor.close(Math.max(0, drainMs - waited));
    await admission.close();
    unwatch?.();
    endAdministered();
    unobserve();
    timers.close();
    hub.close();
  }

  function keyOf(caller: Caller, id: unknown): TaskKey {
    if (!isTaskId(id)) throw unknownTask();
    const { owner, dialect, subjectKey } = caller;
    return { owner, dialect, id, ...(subjectKey !== undefined && { subjectKey }) };
  }

  function retrieved(task: TaskRecord): TaskRecord {
    audit('retrieved', task);
    if (isTerminal(task.status)) telemetry.retrieved(task);
    return task;
  }

  return {
    create: (caller, request) =>
      admission.create(caller, request.method, () => {
        const { method, tool, meta = {}, caller: identity } = request;
        const args = encode(request.args ?? {}, limits.argsBytes);
        if ('problem' in args) {
          throw taskError('invalid_params', `Arguments are ${args.problem}: ${args.detail}`);
        }
        const ttl = grantTtl(request.ttl, limits);
        const known = readMeta(meta, () => [method, tool, JSON.parse(args.text) as unknown]);
        return telemetry.submit({ method, tool, meta }, (trace) => {
          const now = clock.now();
          return insertHeld({
            id: newTaskId(now),
            owner: caller.owner,
            dialect: caller.dialect,
            ...(caller.subjectKey !== undefined && { subjectKey: caller.subjectKey }),
            ...(identity !== undefined && { caller: identity }),
            method,
            ...(tool !== undefined && { tool }),
            status: 'working',
            createdAt: now,
            updatedAt: now,
            ttl,
            pollInterval,
            ...known,
            ...(Object.keys(trace).length > 0 && { trace }),
            version: 1,
            worker: executor.worker,
            fence: 1,
            attempt: 1,
            args: args.text,
            input: [],
            steps: [],
          });
        });
      }),

    get: (caller, id) =>
      admission.access(METHODS.tasksGet, caller, id, async () => {
        const task = retrieved(await writer.read(keyOf(caller, id)));
        if (!isTerminal(task.status)) admission.polled(task);
        return task;
      }),

    list: (caller, cursor) =>
      admission.access(METHODS.tasksList, caller, undefined, async () => {
        const before = cursor === undefined ? undefined : cursors.decode(caller, cursor);
        const found = await store.list(caller, {
          ...(before !== undefined && { before }),
          limit: limits.pageSize + 1,
          now: clock.now(),
        });
        audit('listed', caller);
        const tasks = found.slice(0, limits.pageSize);
        const last = tasks.at(-1);
        return found.length > tasks.length && last !== undefined
          ? { tasks, nextCursor: cursors.encode(caller, last.id) }
          : { tasks };
      }),

    async wait(caller, id, signal, onLive) {
      const ended = deferred<TaskRecord>();
      const receive = (task: TaskRecord): void =>
        isTerminal(task.status) ? ended.resolve(task) : onLive?.(task);
      const subscription = await admission.access(METHODS.tasksResult, caller, id, () =>
        listen(keyOf(caller, id), (event) => {
          if (event.type === 'removed') ended.reject(unknownTask());
          if (event.type === 'closed') ended.reject(admission.closedError());
          if (event.type === 'changed') receive(event.task);
        }),
      );
      const abort = (): void => ended.reject(signal?.reason);
      if (signal?.aborted === true) abort();
      signal?.addEventListener('abort', abort, { once: true });
      try {
        receive(subscription.task);
        const task = await ended.promise;
        await roomFor(task);
        return retrieved(task);
      } finally {
        subscription.end();
        signal?.removeEventListener('abort', abort);
      }
    },

    cancel: (caller, id) =>
      admission.access(METHODS.tasksCancel, caller, id, async () => {
        const { task, changed } = await writer.change(keyOf(caller, id), ({ status }) => {
          if (!isTerminal(status)) return { status: 'cancelled' };
          if (!DIALECTS[caller.dialect].refusesCancelOfEnded) return undefined;
          throw taskError('ended', `Cannot cancel a task that is already ${status}`, { status });
        });
        if (changed) {
          audit('cancelled', task);
          telemetry.ended(task);
        }
        return task;
      }),

    answer: (caller, id, answers) =>
      admission.access(METHODS.tasksUpdate, caller, id, async () => {
        const { task, changed } = await writer.change(keyOf(caller, id), (record) =>
          isTerminal(record.status)
            ? undefined
            : answer(record, (key) => readAnswer(answers, key, limits.inputBytes)),
        );
        if (changed) audit('input_answered', task);
        else if (isObject(answers) && Object.keys(answers).length > 0) {
          // Late, repeated or never asked for: only the audit records it.
          const reason = isTerminal(task.status) ? 'ended' : 'not_asked';
          audit('refused', { ...task, method: METHODS.tasksUpdate }, reason);
        }
        return task;
      }),

    call: (caller, tool, signal, work) =>
      executor.call({
        subject: subjectKeyOf(caller),
        signal,
        work,
        onAbandoned: () =>
          audit(
            'abandoned',
            { owner: caller.owner, dialect: caller.dialect, method: METHODS.toolsCall, tool },
            ABANDONED,
          ),
      }),

    refused(subject, reason) {
      audit('refused', subject, reason);
      telemetry.refused(reason);
    },

    subscribe: (caller, id, listener) =>
      admission.access('subscribe', caller, id, () => listen(keyOf(caller, id), listener)),

    close: (drainMs = DEFAULT_DRAIN_MS, idle) => (closing ??= close(drainMs, idle)),
  };
}
