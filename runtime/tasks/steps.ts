import type { Audit, Telemetry } from './recorder.js';
import { byteLength, encode } from './json.js';
import type { Clock, TimerQueue } from './clock.js';
import { type TaskError, taskError } from './errors.js';
import type { StepWork } from './handler.js';
import type { StepWrapper } from './executor.js';
import type { TaskLimits } from './limits.js';
import { expiresAt, type StepEntry, type TaskRecord } from './record.js';
import type { SlotUse } from './controls.js';
import type { Patch } from './transitions.js';

/** A run, as its steps need it. */
export interface SteppedRun {
  readonly task: TaskRecord;
  /** The task in the newest version that this process has seen. */
  readonly latest: TaskRecord;
  readonly isOver: boolean;
  readonly slotUse: SlotUse;
  /** Resolves once it is certain that this run held the task a moment ago, or is over. */
  ensureHeld(): Promise<void>;
  /** Records a change. Resolves with undefined if there was none, or the run is over. */
  write(decide: (record: TaskRecord) => Patch | undefined): Promise<TaskRecord | undefined>;
  /** Says what a step does, in the status message that the next write carries. */
  noteStep(text: string | undefined): void;
}

export interface StepDependencies {
  readonly limits: TaskLimits;
  readonly audit: Audit;
  readonly telemetry: Telemetry;
  readonly timers: TimerQueue;
  readonly clock: Clock;
  readonly mayStartAgain: boolean;
  readonly wrapStep?: StepWrapper;
}

/** The steps and pauses of one run. What earlier runs of the task have finished is not done again. */
export class RunSteps {
  readonly #run: SteppedRun;
  readonly #dependencies: StepDependencies;
  readonly #names = new StepNames();
  readonly #pauses = new Map<() => void, (reason: TaskError) => void>();

  constructor(run: SteppedRun, dependencies: StepDependencies) {
    this.#run = run;
    this.#dependencies = dependencies;
  }

  async step(name: string | undefined, work: StepWork<unknown>): Promise<unknown> {
    const key = this.#take(name, 'step');
    const found = this.#entry(key);
    if (found?.result !== undefined) return decode(found.result);
    const { wrapStep } = this.#dependencies;
    const { telemetry } = this.#dependencies;
    const { task } = this.#run;
    const run = (): Promise<string> => telemetry.step(task, key, () => this.#runStep(key, work));
    try {
      const encoded = await (wrapStep === undefined ? run() : wrapStep(key, run));
      return decode(encoded);
    } catch (error) {
      // The handler may catch it and try the step again.
      this.#names.free(key);
      throw error;
    }
  }

  /** Runs the work of a step and records its result, which it returns as text. */
  async #runStep(key: string, work: StepWork<unknown>): Promise<string> {
    await this.#markAsStepped(key);
    await this.#run.ensureHeld();
    if (this.#run.isOver) throw notRunning();
    const context = { idempotencyKey: `${this.#run.task.id}/${key}` };
    const encoded = encodeResult(key, await work(context), this.#dependencies.limits.stepsBytes);
    const { attempt } = this.#run.task;
    const { clock } = this.#dependencies;
    await this.#record(
      { name: key, attempt, result: encoded, at: clock.now() },
      `Step ${key} is finished`,
    );
    this.#dependencies.audit('step_finished', this.#run.task, key);
    return encoded;
  }

  async sleep(duration: number | Date): Promise<void> {
    const { clock } = this.#dependencies;
    const key = this.#take(undefined, 'sleep');
    const recorded = this.#entry(key)?.until;
    const now = clock.now();
    const until = recorded ?? wakeTime(duration, now);
    if (until <= now) return;
    if (until >= expiresAt(this.#run.task)) {
      const end = new Date(expiresAt(this.#run.task)).toISOString();
      throw taskError('invalid_params', `The task expires at ${end}, before the pause is over`);
    }
    if (recorded === undefined) {
      const message = `Waiting until ${new Date(until).toISOString()}`;
      await this.#record({ name: key, attempt: this.#run.task.attempt, until, at: now }, message);
    }
    await this.#waitUntil(until);
    this.#run.noteStep(undefined);
  }

  /** Reports steps of earlier runs that this one, which has ended by itself, did not come to. */
  reportUnused(): void {
    const unused = this.#run.latest.steps.filter(({ name }) => !this.#names.has(name));
    if (unused.length === 0) return;
    const names = unused.map(({ name }) => name).join(', ');
    this.#dependencies.audit('steps_changed', this.#run.task, `This run did not come to: ${names}`);
  }

  /** Ends the pauses. */
  end(): void {
    if (this.#pauses.size === 0) return;
    const pauses = [...this.#pauses];
    this.#pauses.clear();
    for (const [cancel] of pauses) cancel();
    const { slotUse } = this.#run;
    slotUse.enter(() => pauses.forEach(([, reject]) => reject(notRunning())), pauses.length);
  }

  #take(name: string | undefined, kind: 'step' | 'sleep'): string {
    if (this.#run.isOver) throw notRunning();
    return this.#names.take(name, kind);
  }

  #entry(key: string): StepEntry | undefined {
    return this.#run.latest.steps.find(({ name }) => name === key);
  }

  /** A lost task whose tool may not start again runs again only if it is known to have steps. */
  async #markAsStepped(name: string): Promise<void> {
    if (this.#dependencies.mayStartAgain || this.#run.latest.steps.length > 0) return;
    await this.#record({ name, attempt: this.#run.task.attempt });
  }

  async #record(entry: StepEntry, text?: string): Promise<void> {
    const run = this.#run;
    await run.write(({ steps }) => {
      const next = withEntry(steps, entry);
      this.#assertFits(next);
      if (text !== undefined) run.noteStep(text);
      return { steps: next };
    });
    if (run.isOver) throw notRunning();
  }

  #assertFits(steps: readonly StepEntry[]): void {
    const { limits } = this.#dependencies;
    if (steps.length > limits.steps) {
      const details = { limit: 'steps', max: limits.steps };
      throw taskError('limit', `A task may have ${limits.steps} steps`, details);
    }
    const bytes = steps.reduce((sum, { result = '' }) => sum + byteLength(result), 0);
    if (bytes > limits.stepsBytes) {
      const details = { limit: 'stepsBytes', max: limits.stepsBytes };
      throw taskError(
        'limit',
        `The results of a task's steps may have ${limits.stepsBytes} bytes`,
        details,
      );
    }
  }

  #waitUntil(until: number): Promise<void> {
    const { timers } = this.#dependencies;
    const { slotUse } = this.#run;
    slotUse.leave();
    return new Promise((resolve, reject) => {
      const cancel = timers.at(until, () => {
        this.#pauses.delete(cancel);
        slotUse.enter(resolve);
      });
      this.#pauses.set(cancel, reject);
    });
  }
}

function withEntry(steps: readonly StepEntry[], entry: StepEntry): readonly StepEntry[] {
  const index = steps.findIndex(({ name }) => name === entry.name);
  return index < 0 ? [...steps, entry] : steps.with(index, entry);
}

function wakeTime(duration: number | Date, now: number): number {
  const until = typeof duration === 'number' ? now + duration : duration.getTime();
  if (Number.isFinite(until)) return Math.ceil(until);
  throw taskError('invalid_params', `Not a pause: ${String(duration)}`);
}

/** The names of one run's steps and pauses. */
class StepNames {
  /** Those that run or have ended, except steps that failed. */
  readonly #taken = new Set<string>();
  readonly #unnamed = { step: 0, sleep: 0 };

  take(name: string | undefined, kind: 'step' | 'sleep'): string {
    const key = name ?? `${kind}-${(this.#unnamed[kind] += 1)}`;
    if (this.#taken.has(key)) {
      throw taskError('invalid_params', `A step of this run has the name ${key} already`);
    }
    this.#taken.add(key);
    return key;
  }

  has(key: string): boolean {
    return this.#taken.has(key);
  }

  free(key: string): void {
    this.#taken.delete(key);
  }
}

/** The steps and pauses of a call that is no task. Nothing is recorded: names and results are as in a task. */
export class CallSteps {
  readonly #callId: string;
  readonly #names = new StepNames();

  constructor(callId: string) {
    this.#callId = callId;
  }

  async step(name: string | undefined, work: StepWork<unknown>): Promise<unknown> {
    const key = this.#names.take(name, 'step');
    try {
      const result = await work({ idempotencyKey: `${this.#callId}/${key}` });
      return decode(encodeResult(key, result, Infinity));
    } catch (error) {
      this.#names.free(key);
      throw error;
    }
  }

  /** When a pause ends. */
  sleep(duration: number | Date): number {
    this.#names.take(undefined, 'sleep');
    return wakeTime(duration, Date.now());
  }
}

function encodeResult(key: string, value: unknown, maxBytes: number): string {
  if (value === undefined) return '';
  const encoded = encode(value, maxBytes);
  if ('text' in encoded) return encoded.text;
  const { problem, detail } = encoded;
  throw taskError('invalid_result', `The result of step ${key} is ${problem}: ${detail}`);
}

/** The same value whether the step has just run or ran before: what JSON makes of it. */
function decode(result: string): unknown {
  return result === '' ? undefined : JSON.parse(result);
}

function notRunning(): TaskError {
  return taskError('not_running', 'The run is over');
}

/** How many attempts have been lost since the last one that got further. */
export function attemptsWithoutProgress({ attempt, steps }: TaskRecord): number {
  const finished = steps.filter(({ result }) => result !== undefined);
  return attempt - Math.max(0, ...finished.map((step) => step.attempt - 1));
}

/** Whether the handler was in a pause, if in nothing else, when its worker was lost. */
export function isAsleep({ steps }: TaskRecord, now: number): boolean {
  return steps.some(({ until = 0 }) => until > now);
}
