import { METHODS } from '../protocol.js';
import type { Slot } from './executor.js';
import type { ElicitAnswer, InputOptions, RunStep, StepWork, TaskControls } from './handler.js';
import type { JsonObject, Progress, TaskRecord } from './record.js';

/** A run, as its handler's controls need it. */
export interface ControlledRun {
  readonly task: TaskRecord;
  readonly isOver: boolean;
  readonly signal: AbortSignal;
  progress(progress: Progress): void;
  ask(method: string, params: JsonObject, name: string | undefined): Promise<JsonObject>;
  elicitationComplete(elicitationId: string): Promise<void>;
  step(name: string | undefined, work: StepWork<unknown>): Promise<unknown>;
  sleep(until: number | Date): Promise<void>;
  /** Records a status message, if the store takes it at once. */
  setStatus(text: string): Promise<void>;
}

/** A handler's side of its run. Functions, because a handler may take them out of the object. */
export function createControls(run: ControlledRun): TaskControls {
  let lastProgress = -Infinity;

  const input = (method: string, params: JsonObject, options?: InputOptions): Promise<JsonObject> =>
    harmless(run.ask(method, params, options?.key));

  const { id, owner, subjectKey, attempt } = run.task;
  return withSignal(() => run.signal, {
    id,
    owner,
    ...(subjectKey !== undefined && { subjectKey }),
    attempt,
    progress(progress) {
      if (run.isOver || !(progress.progress > lastProgress)) return;
      lastProgress = progress.progress;
      run.progress(progress);
    },
    setStatus: (text) => (run.isOver ? Promise.resolve() : run.setStatus(text)),
    step: stepping((name, work) => harmless(run.step(name, work))),
    sleep: (until) => harmless(run.sleep(until)),
    elicit: (params, options) =>
      input(METHODS.elicitationCreate, params, options) as Promise<JsonObject & ElicitAnswer>,
    elicitationComplete: (elicitationId) => harmless(run.elicitationComplete(elicitationId)),
    sample: (params, options) => input(METHODS.samplingCreateMessage, params, options),
    input,
  });
}

/** A handler that does not await must not bring the process down when its run ends. */
export function harmless<T>(promise: Promise<T>): Promise<T> {
  promise.catch(() => undefined);
  return promise;
}

/** Controls whose signal is made when it is first read, which most handlers never do. */
export function withSignal<C extends Pick<TaskControls, 'signal'> = TaskControls>(
  signal: () => AbortSignal,
  others: Omit<C, 'signal'>,
): C {
  return Object.assign(new Signalled(signal), others) as unknown as C;
}

class Signalled {
  readonly #signal: () => AbortSignal;

  constructor(signal: () => AbortSignal) {
    this.#signal = signal;
  }

  get signal(): AbortSignal {
    return this.#signal();
  }
}

/** `task.step` with its optional name. */
export function stepping(
  step: (name: string | undefined, work: StepWork<unknown>) => Promise<unknown>,
): RunStep {
  return (nameOrWork: string | StepWork<unknown>, work?: StepWork<unknown>) =>
    typeof nameOrWork === 'string'
      ? step(nameOrWork, work as StepWork<unknown>)
      : step(undefined, nameOrWork);
}

const NO_SLOT: Slot = { leave: () => undefined, enter: (resume) => resume() };

/** A handler's use of its slot. The handler leaves the slot while it waits for answers or pauses. */
export class SlotUse {
  slot: Slot;
  #waits = 0;

  constructor(slot: Slot = NO_SLOT) {
    this.slot = slot;
  }

  get isWaiting(): boolean {
    return this.#waits > 0;
  }

  /** The handler waits for one more answer or pause. */
  leave(): void {
    if (this.#waits === 0) this.slot.leave();
    this.#waits += 1;
  }

  /** `waits` of its answers or pauses have come. Calls `resume` once the handler has a slot. */
  enter(resume: () => void, waits = 1): void {
    this.#waits -= waits;
    if (this.#waits === 0) this.slot.enter(resume);
    else resume();
  }
}
