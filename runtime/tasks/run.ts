import { type ByteBudget, type Hold, type TaskLimits, subjectKeyOf } from './limits.js';
import { type Clock, retry, type RetryDependencies } from './clock.js';
import { type ControlledRun, createControls, SlotUse } from './controls.js';
import { TaskError, taskError } from './errors.js';
import { ABANDONED, type Slot, type StepWrapper, type TaskRun } from './executor.js';
import { type HandlerLookup, mayStartAgain, type StepWork } from './handler.js';
import type { Hub, TaskEvent, Writer } from './hub.js';
import { completed, elicitationOf } from './input.js';
import { merged } from './json.js';
import { type AskingRun, RunQuestions } from './questions.js';
import {
  DIALECTS,
  type InputEntry,
  type JsonObject,
  type Progress,
  type TaskRecord,
} from './record.js';
import type { Audit, Telemetry } from './recorder.js';
import { type ReportingRun, RunStatus } from './run-status.js';
import { RunSteps, type SteppedRun } from './steps.js';
import { failed, noHandler, settleReturned, settleThrown } from './outcome.js';
import { isTerminal } from '../rules/tasks.js';
import type { Patch } from './transitions.js';

export interface RunDependencies extends RetryDependencies {
  readonly clock: Clock;
  readonly hub: Hub;
  readonly writer: Writer;
  readonly audit: Audit;
  readonly telemetry: Telemetry;
  readonly limits: TaskLimits;
  readonly lease: Lease;
  readonly handlers: HandlerLookup;
  /** Of the arguments of all runs. */
  readonly held: ByteBudget;
  /** The runs whose handlers run, or wait. */
  readonly running: TransientSet<HandlerRun>;
  /** Called when a run has recorded the end of its task. */
  readonly onEnded: (task: TaskRecord) => void;
  /** Gives a task up: to another worker, or as interrupted. */
  readonly release: (task: TaskRecord, mayRunAgain: boolean) => Promise<void>;
}

/** Milliseconds, far fewer than a lease lasts, for which a task that was just read counts as held. */
const HELD_MS = 1_000;
/** Between looks whether the lease is renewed. */
const LEASE_POLL_MS = 50;

/**
 * Runs a task's handler and records how it ends. It may write for as long as it holds the task: until the
 * task ends, expires, or another worker takes it under a new fence.
 */
export class HandlerRun implements TaskRun, AskingRun, SteppedRun, ControlledRun, ReportingRun {
  /** As this worker got it. Its fence is the right to write. */
  readonly task: TaskRecord;
  latest: TaskRecord;
  readonly slotUse = new SlotUse();
  isOver = false;
  readonly #dependencies: RunDependencies;
  readonly #onStopped: () => void;
  readonly #detach: () => void;
  readonly #hold: Hold | undefined;
  #questions: RunQuestions | undefined;
  #steps: RunSteps | undefined;
  #status: RunStatus | undefined;
  // Most handlers never look at their signal, and it is the dearest part of a run.
  #controller: AbortController | undefined;
  #stopped: TaskError | undefined;
  #started = false;
  #wrapStep: StepWrapper | undefined;
  /** When this run last began to read or write its task, and then still held it. */
  #heldAt = -Infinity;

  constructor(dependencies: RunDependencies, task: TaskRecord, onStopped: () => void) {
    this.task = task;
    this.latest = task;
    this.#dependencies = dependencies;
    this.#onStopped = onStopped;
    this.#hold = dependencies.held.keep(subjectKeyOf(task), task.args.length);
    this.#detach = dependencies.hub.attach(task, (event) => this.#receive(event));
  }

  async execute(slot: Slot, wrapStep?: StepWrapper): Promise<void> {
    const { telemetry, report, limits, running } = this.#dependencies;
    this.slotUse.slot = slot;
    this.#wrapStep = wrapStep;
    let leave: (() => void) | undefined;
    try {
      if (this.task.fence > 1) await this.#readAgain();
      await this.#begin();
      if (this.isOver) return;
      this.#started = true;
      leave = running.add(this);
      await telemetry.execute(this.task, async () => {
        const ending = await this.#handle();
        await this.#finish(ending);
        return ending;
      });
    } catch (error) {
      // The engine's or a telemetry SDK's fault: either way the task must not stay working for ever.
      report(error);
      await this.#finish(failed(taskError('internal', 'Internal error'), limits));
    } finally {
      leave?.();
      this.#end();
    }
  }

  abandoned(): void {
    this.#dependencies.audit('abandoned', this.task, ABANDONED);
  }

  async giveUp(): Promise<void> {
    const { handlers, release } = this.#dependencies;
    const hasSteps = this.latest.steps.length > 0;
    const mayRunAgain = !this.#started || hasSteps || mayStartAgain(handlers(this.task));
    await release(this.task, mayRunAgain);
    this.#end();
  }

  get signal(): AbortSignal {
    this.#controller ??= new AbortController();
    if (this.#stopped !== undefined) this.#controller.abort(this.#stopped);
    return this.#controller.signal;
  }

  progress(progress: Progress): void {
    this.#dependencies.hub.progress(this.task, progress);
    this.#statusOfRun().report(progress);
  }

  setStatus(text: string): Promise<void> {
    return this.#statusOfRun().set(text);
  }

  noteStep(text: string | undefined): void {
    this.#statusOfRun().note(text);
  }

  #statusOfRun(): RunStatus {
    const { limits } = this.#dependencies;
    return (this.#status ??= new RunStatus(this, this.#dependencies, limits.statusMessageChars));
  }

  ask(method: string, params: JsonObject, name: string | undefined): Promise<JsonObject> {
    const { limits, audit } = this.#dependencies;
    this.#questions ??= new RunQuestions(this, limits, audit);
    return this.#questions.ask(method, params, name);
  }

  async elicitationComplete(elicitationId: string): Promise<void> {
    if (this.isOver) return;
    const isOf = (entry: InputEntry): boolean => elicitationOf(entry) === elicitationId;
    if (!this.latest.input.some(isOf)) {
      const shown = JSON.stringify(elicitationId);
      throw taskError(
        'invalid_params',
        `The task has not asked by URL with elicitationId ${shown}`,
      );
    }
    if (!DIALECTS[this.task.dialect].announcesCompletedElicitations) return;
    await this.write(({ input }) => completed(input, isOf));
  }

  step(name: string | undefined, work: StepWork<unknown>): Promise<unknown> {
    return this.#stepsOfRun().step(name, work);
  }

  sleep(until: number | Date): Promise<void> {
    return this.#stepsOfRun().sleep(until);
  }

  #stepsOfRun(): RunSteps {
    this.#steps ??= new RunSteps(this, {
      ...this.#dependencies,
      mayStartAgain: mayStartAgain(this.#dependencies.handlers(this.task)),
      ...(this.#wrapStep !== undefined && { wrapStep: this.#wrapStep }),
    });
    return this.#steps;
  }

  async writeStatus(): Promise<void> {
    // A message is not worth a handler: if the store fails here, the outcome will show it.
    await this.#tryToWrite((record) => this.#dueStatus(record)).catch(() => undefined);
  }

  #dueStatus(record: TaskRecord): Patch | undefined {
    return this.#status?.due(record);
  }

  /** Tries again when the store fails, because what a handler did is worth waiting for. */
  write(decide: (record: TaskRecord) => Patch | undefined): Promise<TaskRecord | undefined> {
    return retry(
      this.#dependencies,
      () => !this.isOver,
      () => this.#tryToWrite(decide),
    );
  }

  async #tryToWrite(
    decide: (record: TaskRecord) => Patch | undefined,
  ): Promise<TaskRecord | undefined> {
    const { writer, audit, clock } = this.#dependencies;
    const began = clock.monotonic();
    const own = (record: TaskRecord): Patch | undefined => {
      if (record.fence !== this.task.fence) {
        if (!isTerminal(record.status)) audit('fenced', record);
        this.#stop('The task was taken over');
        return undefined;
      }
      if (isTerminal(record.status)) return undefined;
      const patch = decide(record);
      if (patch === undefined || isTerminal(patch.status ?? record.status)) return patch;
      const due = this.#dueStatus(record);
      return due === undefined ? patch : merged(patch, due);
    };
    const { task, changed } = await writer.change(this.task, own, this.latest);
    if (changed) this.#heldAt = began;
    return changed ? task : undefined;
  }

  /**
   * Reads the task again unless it was read a moment ago, and under the lease that still lasts. A process that
   * was paused, or could not renew its lease, finds out in this way that others have taken the task over, before
   * it does what they have done.
   */
  async ensureHeld(): Promise<void> {
    const { lease, timers } = this.#dependencies;
    let isProven = this.#isHeld();
    while (!this.isOver && !isProven) {
      if (lease.isValid()) {
        await this.#readAgain();
        // While the lease lasts no other worker takes the task over, however long the store took to answer.
        isProven = lease.isRenewed() ? lease.coversSince(this.#heldAt) : this.#isHeld();
      } else {
        // Whatever is read without a lease may be wrong in the next moment.
        await new Promise<void>((resolve) => timers.after(LEASE_POLL_MS, resolve));
      }
    }
  }

  #isHeld(): boolean {
    const { clock, lease } = this.#dependencies;
    return clock.monotonic() - this.#heldAt <= HELD_MS && lease.coversSince(this.#heldAt);
  }

  /** Receives what happened to the task before this run subscribed to it, or while its process was paused. */
  async #readAgain(): Promise<void> {
    const began = this.#dependencies.clock.monotonic();
    try {
      const task = await retry(
        this.#dependencies,
        () => !this.isOver,
        () => this.#dependencies.writer.read(this.task),
      );
      if (task !== undefined) this.#receive({ type: 'changed', task });
      this.#heldAt = began;
    } catch (error) {
      if (!(error instanceof TaskError)) throw error;
      this.#receive({ type: 'removed' });
    }
  }

  /** Records that the handler is about to start, if the task was stored as queued. */
  async #begin(): Promise<void> {
    if (!this.task.queued) return;
    await this.write(({ queued }) => (queued ? { queued: false } : undefined));
  }

  async #handle(): Promise<Patch> {
    const { handlers, limits } = this.#dependencies;
    const args = JSON.parse(this.task.args) as unknown;
    try {
      const handler = handlers(this.task);
      if (handler === undefined) return failed(noHandler(this.task), limits);
      const task = createControls(this);
      const value = await handler.run({ args, task, caller: this.task.caller });
      if (this.latest.steps.length > 0) this.#stepsOfRun().reportUnused();
      return settleReturned(this.task, value, limits);
    } catch (error) {
      return settleThrown(this.task, error, limits);
    }
  }

  /** Records how the handler ended. From then on nothing stops it. */
  async #finish(ending: Patch): Promise<void> {
    this.#detach();
    this.#status?.end();
    try {
      const ended = await this.write(() => ending);
      if (ended !== undefined) this.#dependencies.onEnded(ended);
    } catch (error) {
      // The task expired meanwhile, so there is no record to write to.
      if (!(error instanceof TaskError)) throw error;
    }
  }

  #receive(event: TaskEvent): void {
    if (event.type === 'progress' || event.type === 'closed') return;
    if (event.type === 'removed') return this.#stop('The task has expired');
    // What another process did before may arrive only now.
    if (event.task.version < this.latest.version) return;
    this.latest = event.task;
    if (event.task.fence !== this.task.fence) return this.#stop('The task was taken over');
    if (isTerminal(event.task.status)) return this.#stop(`The task is ${event.task.status}`);
    this.#questions?.answered(event.task.input);
  }

  #stop(why: string): void {
    if (this.isOver) return;
    this.#end();
    this.#stopped = taskError('not_running', why);
    this.#controller?.abort(this.#stopped);
    this.#onStopped();
  }

  /** After this nothing that the handler still does has any effect. */
  #end(): void {
    if (this.isOver) return;
    this.isOver = true;
    this.#hold?.release();
    this.#detach();
    this.#questions?.end();
    this.#steps?.end();
    this.#status?.end();
  }
}

/**
 * What this process knows of its executor's lease: while it lasts, no other worker takes tasks over. Times are
 * of the monotonic clock. Without an executor that renews one, it lasts for ever.
 */
interface Lease {
  /** The store has the lease until then. */
  renewed(until: number): void;
  isValid(): boolean;
  /** Whether the executor renews it. */
  isRenewed(): boolean;
  /** Whether it has lasted from then until now. */
  coversSince(moment: number): boolean;
}

export function createLease(clock: Clock): Lease {
  let since = -Infinity;
  let until = Infinity;
  const isValid = (): boolean => clock.monotonic() < until;
  return {
    renewed(next) {
      // There was a gap, in which others may have taken tasks over.
      if (!isValid()) since = clock.monotonic();
      until = next;
    },
    isValid,
    isRenewed: () => until !== Infinity,
    coversSince: (moment) => isValid() && moment >= since,
  };
}

/**
 * A collection for things that come and go with requests and tasks. When many members of a `Set` of V8 were deleted, it
 * moves to a new table. An old collection leaves its old table in memory that only a full garbage collection frees, and
 * until then that table keeps what were its members alive, with all that they refer to. This collection keeps its
 * members in holders, which are emptied at the deletion.
 */

interface Holder<T> {
  member: T | undefined;
}

export class TransientSet<T extends object> {
  readonly #holders = new Set<Holder<T>>();

  get size(): number {
    return this.#holders.size;
  }

  /** Adds a member, also one that is there already. Returns a function that takes it out again. */
  add(member: T): () => void {
    const holder: Holder<T> = { member };
    this.#holders.add(holder);
    return () => {
      holder.member = undefined;
      this.#holders.delete(holder);
    };
  }

  /** The members at this moment. */
  values(): T[] {
    const members: T[] = [];
    for (const { member } of this.#holders) if (member !== undefined) members.push(member);
    return members;
  }
}
