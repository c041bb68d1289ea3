import type { Clock, TimerQueue } from './clock.js';
import type { Progress, TaskRecord } from './record.js';
import type { Patch } from './transitions.js';

/** A run, as its status message needs it. */
export interface ReportingRun {
  /** The task in the newest version that this process has seen. */
  readonly latest: TaskRecord;
  readonly isOver: boolean;
  /** Writes the message that is due, if the store takes it at once. Does not reject. */
  writeStatus(): Promise<void>;
}

export interface StatusDependencies {
  readonly clock: Clock;
  readonly timers: TimerQueue;
  /** The runs of this process. */
  readonly running: { readonly size: number };
}

/** Between the first progress of a run and its write. A task that ends sooner costs no write. */
const FIRST_MS = 100;
/** Between two writes of one run. */
const INTERVAL_MS = 1_000;
/** The same for each run of the process: all together write progress 200 times a second. */
const INTERVAL_PER_RUN_MS = 5;

/**
 * The status message of a run: the handler's progress and text, or else what its steps do. All of them meet
 * here, and the newest is written. A text is written at once. Progress waits for its interval, or for another
 * write of the run that carries it.
 */
export class RunStatus {
  readonly #run: ReportingRun;
  readonly #dependencies: StatusDependencies;
  readonly #chars: number;
  #progress: Progress | undefined;
  #text: string | undefined;
  /** The text is the handler's, which a step does not replace. */
  #isOwn = false;
  #wanted = false;
  #writing: Promise<void> | undefined;
  #writtenAt = -Infinity;
  #cancelTimer: (() => void) | undefined;

  constructor(run: ReportingRun, dependencies: StatusDependencies, chars: number) {
    this.#run = run;
    this.#dependencies = dependencies;
    this.#chars = chars;
  }

  /** The handler's progress. One without a message keeps the text that was there. */
  report({ progress, total, message }: Progress): void {
    this.#progress = { progress, ...(total !== undefined && { total }) };
    if (typeof message === 'string') this.#setText(message);
    this.#schedule();
  }

  /** The handler's text, which is shown as it is. Resolves when it is written, or a later one is. */
  set(text: string): Promise<void> {
    this.#progress = undefined;
    this.#setText(text);
    return this.#flush();
  }

  /** What a step or a pause does, for a write that follows. A pause that is over leaves no text. */
  note(text: string | undefined): void {
    if (!this.#isOwn) this.#text = text;
  }

  /** What a write to this live task has to carry, if it differs from what is stored. */
  due(record: TaskRecord): Patch | undefined {
    const statusMessage = this.#message()?.slice(0, this.#chars);
    if (statusMessage === undefined) return undefined;
    // A client that gave a token may be connected to another process, which learns of the progress in this way.
    const isFollowed = record.progressToken !== undefined;
    const progress = isFollowed ? this.#withText() : undefined;
    const isStored =
      statusMessage === record.statusMessage && progress?.progress === record.progress?.progress;
    if (isStored) return undefined;
    return progress === undefined ? { statusMessage } : { statusMessage, progress };
  }

  end(): void {
    this.#cancelTimer?.();
    this.#cancelTimer = undefined;
  }

  #message(): string | undefined {
    const progress = this.#withText();
    return progress === undefined ? this.#text : progressText(progress);
  }

  #withText(): Progress | undefined {
    const [progress, message] = [this.#progress, this.#text];
    return progress && message !== undefined ? { ...progress, message } : progress;
  }

  #setText(text: string): void {
    this.#text = text.slice(0, this.#chars);
    this.#isOwn = true;
  }

  #schedule(): void {
    if (this.#cancelTimer !== undefined || this.#writing !== undefined) return;
    const { clock, timers, running } = this.#dependencies;
    const interval = Math.max(INTERVAL_MS, running.size * INTERVAL_PER_RUN_MS);
    const wait = Math.max(FIRST_MS, this.#writtenAt + interval - clock.monotonic());
    this.#cancelTimer = timers.after(wait, () => {
      this.#cancelTimer = undefined;
      if (this.#isDue()) void this.#flush();
    });
  }

  #flush(): Promise<void> {
    this.#wanted = true;
    return (this.#writing ??= this.#write());
  }

  #isDue(): boolean {
    return !this.#run.isOver && this.due(this.#run.latest) !== undefined;
  }

  async #write(): Promise<void> {
    while (this.#wanted) {
      this.#wanted = false;
      await this.#run.writeStatus();
      this.#writtenAt = this.#dependencies.clock.monotonic();
    }
    this.#writing = undefined;
    if (this.#isDue()) this.#schedule();
  }
}

/**
 * Progress as the text of a status message, for clients that get no progress notifications. With a total:
 * `45% (450/1000): Counting primes`. The numbers come first, so that a limit cuts only the message.
 */
export function progressText({ progress, total, message }: Progress): string {
  const hasMessage = message !== undefined && message !== '';
  if (!isTotal(total)) return hasMessage ? message : `Progress: ${progress}`;
  const numbers = `${percentOf(progress, total)}% (${progress}/${total})`;
  return hasMessage ? `${numbers}: ${message}` : numbers;
}

const WRITTEN = /^(\d{1,3})% \(([-+.\de]{1,30})\/([-+.\de]{1,30})\)(?:: (.*))?$/s;

/** The progress in a status message; undefined for any other text, and for progress without a total. */
export function parseProgressText(
  text: string,
): (Required<Omit<Progress, 'message'>> & Pick<Progress, 'message'>) | undefined {
  const [, percent, first, second, message] = WRITTEN.exec(text) ?? [];
  const progress = Number(first);
  const total = Number(second);
  // A text that only looks like progress hardly has the right percentage.
  if (!isTotal(total) || percentOf(progress, total) !== Number(percent)) return undefined;
  return { progress, total, ...(message !== undefined && { message }) };
}

function isTotal(total: number | undefined): total is number {
  return total !== undefined && total > 0 && Number.isFinite(total);
}

function percentOf(progress: number, total: number): number {
  // Multiplied first: 29 / 100 * 100 is less than 29.
  return Math.floor(Math.min(100, Math.max(0, (100 * progress) / total)));
}
