import { METHODS } from '../protocol/index.js';
import type { ElicitAnswer, InputOptions, Progress, TaskControls } from './handler.js';
import type { JsonObject, TaskRecord } from './record.js';

/** A run, as its handler's controls need it. */
export interface ControlledRun {
  readonly task: TaskRecord;
  readonly isOver: boolean;
  readonly signal: AbortSignal;
  progress(progress: Progress): void;
  ask(method: string, params: JsonObject, name: string | undefined): Promise<JsonObject>;
  /** Records a status message, if the store takes it at once. */
  writeStatus(statusMessage: string): Promise<void>;
}

/** A handler's side of its run. Functions, because a handler may take them out of the object. */
export function createControls(run: ControlledRun, statusMessageChars: number): TaskControls {
  let lastProgress = -Infinity;
  let message: string | undefined;
  let writing: Promise<void> | undefined;

  async function writeMessages(): Promise<void> {
    while (message !== undefined && !run.isOver) {
      const next = message;
      message = undefined;
      await run.writeStatus(next);
    }
    writing = undefined;
  }

  function input(method: string, params: JsonObject, options?: InputOptions): Promise<JsonObject> {
    const answer = run.ask(method, params, options?.key);
    // A handler that does not await must not bring the process down when its run ends.
    answer.catch(() => undefined);
    return answer;
  }

  const { id, owner, attempt } = run.task;
  return {
    id,
    owner,
    attempt,
    get signal() {
      return run.signal;
    },
    progress(progress) {
      if (run.isOver || !(progress.progress > lastProgress)) return;
      lastProgress = progress.progress;
      run.progress(progress);
    },
    setStatus(text) {
      if (run.isOver) return Promise.resolve();
      message = text.slice(0, statusMessageChars);
      return (writing ??= writeMessages());
    },
    elicit: (params, options) =>
      input(METHODS.elicitationCreate, params, options) as Promise<JsonObject & ElicitAnswer>,
    sample: (params, options) => input(METHODS.samplingCreateMessage, params, options),
    input,
  };
}
