import type { Audit } from './audit.js';
import { type ControlledRun, createControls } from './controls.js';
import { TaskError, taskError } from './errors.js';
import { ABANDONED, type Slot, type TaskRun } from './executor.js';
import type { HandlerLookup, Progress } from './handler.js';
import type { Hub, TaskEvent } from './hub.js';
import type { TaskLimits } from './limits.js';
import { failed, noHandler, settleReturned, settleThrown } from './outcome.js';
import { type AskingRun, RunQuestions } from './questions.js';
import type { JsonObject, TaskRecord } from './record.js';
import { retry, type RetryDependencies } from './retry.js';
import type { Telemetry } from './telemetry.js';
import { isTerminal, type Patch } from './transitions.js';
import type { Writer } from './writer.js';

export interface RunDependencies extends RetryDependencies {
  readonly hub: Hub;
  readonly writer: Writer;
  readonly audit: Audit;
  readonly telemetry: Telemetry;
  readonly limits: TaskLimits;
  readonly handlers: HandlerLookup;
  /** Called when a run has recorded the end of its task. */
  readonly onEnded: (task: TaskRecord) => void;
  /** Gives a task up: to another worker, or as interrupted. */
  readonly release: (task: TaskRecord, mayRunAgain: boolean) => Promise<void>;
}

const NO_SLOT: Slot = { leave: () => undefined, enter: (resume) => resume() };

/**
 * Runs a task's handler and records how it ends. It may write for as long as it holds the task: until the
 * task ends, expires, or another worker takes it under a new fence.
 */
export class HandlerRun implements TaskRun, AskingRun, ControlledRun {
  /** As this worker got it. Its fence is the right to write. */
  readonly task: TaskRecord;
  latest: TaskRecord;
  slot: Slot = NO_SLOT;
  isOver = false;
  readonly #dependencies: RunDependencies;
  readonly #onStopped: () => void;
  readonly #detach: () => void;
  #questions: RunQuestions | undefined;
  // Most handlers never look at their signal, and it is the dearest part of a run.
  #controller: AbortController | undefined;
  #stopped: TaskError | undefined;
  #started = false;

  constructor(dependencies: RunDependencies, task: TaskRecord, onStopped: () => void) {
    this.task = task;
    this.latest = task;
    this.#dependencies = dependencies;
    this.#onStopped = onStopped;
    this.#detach = dependencies.hub.attach(task, (event) => this.#receive(event));
  }

  async execute(slot: Slot): Promise<void> {
    const { telemetry, report, limits } = this.#dependencies;
    this.slot = slot;
    try {
      if (this.task.fence > 1) await this.#catchUp();
      await this.#begin();
      if (this.isOver) return;
      this.#started = true;
      await telemetry.execute(this.task, async () => this.#finish(await this.#handle()));
    } catch (error) {
      // The engine's or a telemetry SDK's fault: either way the task must not stay working for ever.
      report(error);
      await this.#finish(failed(taskError('internal', 'Internal error'), limits));
    } finally {
      this.#end();
    }
  }

  abandoned(): void {
    this.#dependencies.audit('abandoned', this.task, ABANDONED);
  }

  async giveUp(): Promise<void> {
    const { handlers, release } = this.#dependencies;
    await release(this.task, !this.#started || handlers(this.task)?.retryable === true);
    this.#end();
  }

  get signal(): AbortSignal {
    this.#controller ??= new AbortController();
    if (this.#stopped !== undefined) this.#controller.abort(this.#stopped);
    return this.#controller.signal;
  }

  progress(progress: Progress): void {
    this.#dependencies.hub.progress(this.task, progress);
  }

  ask(method: string, params: JsonObject, name: string | undefined): Promise<JsonObject> {
    const { limits, audit } = this.#dependencies;
    this.#questions ??= new RunQuestions(this, limits, audit);
    return this.#questions.ask(method, params, name);
  }

  async writeStatus(statusMessage: string): Promise<void> {
    // A message is not worth a handler: if the store fails here, the outcome will show it.
    await this.#tryToWrite(() => ({ statusMessage })).catch(() => undefined);
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
    const { writer, audit } = this.#dependencies;
    const own = (record: TaskRecord): Patch | undefined => {
      if (record.fence !== this.task.fence) {
        if (!isTerminal(record.status)) audit('fenced', record);
        this.#stop('The task was taken over');
        return undefined;
      }
      return isTerminal(record.status) ? undefined : decide(record);
    };
    const { task, changed } = await writer.change(this.task, own, this.latest);
    return changed ? task : undefined;
  }

  /** Receives what happened to a task that was taken over, before this run subscribed to it. */
  async #catchUp(): Promise<void> {
    try {
      const task = await retry(
        this.#dependencies,
        () => !this.isOver,
        () => this.#dependencies.writer.read(this.task),
      );
      if (task !== undefined) this.#receive({ type: 'changed', task });
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
      const task = createControls(this, limits.statusMessageChars);
      return settleReturned(this.task, await handler.run({ args, task }), limits);
    } catch (error) {
      return settleThrown(this.task, error, limits);
    }
  }

  /** Records how the handler ended. From then on nothing stops it. */
  async #finish(ending: Patch): Promise<void> {
    this.#detach();
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
    this.#detach();
    this.#questions?.end();
  }
}
