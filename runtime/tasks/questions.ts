import type { Audit } from './recorder.js';
import { deferred, type Deferred } from './clock.js';
import { taskError } from './errors.js';
import { ask } from './input.js';
import { encode } from './json.js';
import type { TaskLimits } from './limits.js';
import type { InputAnswer, InputEntry, JsonObject, TaskRecord } from './record.js';
import type { SlotUse } from './controls.js';
import type { Patch } from './transitions.js';

/** A run, as its questions need it. */
export interface AskingRun {
  readonly task: TaskRecord;
  /** The task in the newest version that this process has seen. */
  readonly latest: TaskRecord;
  readonly isOver: boolean;
  readonly slotUse: SlotUse;
  /** Records a change. Resolves with undefined if there was none, or the run is over. */
  write(decide: (record: TaskRecord) => Patch | undefined): Promise<TaskRecord | undefined>;
}

/** The requests for input of one run, and the answers that its handler waits for. */
export class RunQuestions {
  readonly #run: AskingRun;
  readonly #limits: TaskLimits;
  readonly #audit: Audit;
  readonly #asked = new Set<string>();
  readonly #waiting = new Map<string, Deferred<JsonObject>>();

  constructor(run: AskingRun, limits: TaskLimits, audit: Audit) {
    this.#run = run;
    this.#limits = limits;
    this.#audit = audit;
  }

  /** Records the question and resolves with its answer. */
  async ask(method: string, params: JsonObject, name: string | undefined): Promise<JsonObject> {
    const key = name ?? `input-${this.#asked.size + 1}`;
    if (this.#asked.has(key)) {
      throw taskError('invalid_params', `Input ${key} was already asked for`);
    }
    this.#asked.add(key);
    const limits = this.#limits;
    const run = this.#run;
    const encoded = encode(params, limits.inputBytes);
    if ('problem' in encoded) {
      throw taskError('invalid_params', `Input ${key} is ${encoded.problem}: ${encoded.detail}`);
    }

    let actualKey = key;
    const added = await run.write((record) => {
      const { key: entryKey, patch } = ask(record, { key, method, params: encoded.text });
      if (patch?.input !== undefined && patch.input.length > limits.inputRequests) {
        throw taskError('limit', `A task may ask for input ${limits.inputRequests} times`, {
          limit: 'inputRequests',
          max: limits.inputRequests,
        });
      }
      actualKey = entryKey;
      return patch;
    });
    if (run.isOver) throw taskError('not_running', 'The run is over');
    if (added !== undefined) this.#audit('input_requested', run.task);

    const waiting = deferred<JsonObject>();
    run.slotUse.leave();
    this.#waiting.set(actualKey, waiting);
    // An answer from an earlier run is already there; one to this run may have come meanwhile.
    this.answered(run.latest.input.filter((entry) => entry.key === actualKey));
    return waiting.promise;
  }

  /** Gives the handler the answers among these entries that it waits for. */
  answered(entries: readonly InputEntry[]): void {
    for (const { key, answer } of entries) {
      const waiting = this.#waiting.get(key);
      if (answer === undefined || waiting === undefined) continue;
      this.#waiting.delete(key);
      this.#run.slotUse.enter(() => settle(waiting, answer));
    }
  }

  /** Rejects the questions that are open. */
  end(): void {
    if (this.#waiting.size === 0) return;
    const all = [...this.#waiting.values()];
    this.#waiting.clear();
    this.#run.slotUse.enter(() => {
      for (const waiting of all) waiting.reject(taskError('not_running', 'The run is over'));
    }, all.length);
  }
}

function settle({ resolve, reject }: Deferred<JsonObject>, answerText: string): void {
  const answer = JSON.parse(answerText) as InputAnswer;
  if ('result' in answer) return resolve(answer.result);
  const { code, message, data } = answer.error;
  reject(Object.assign(new Error(message), { code, ...(data !== undefined && { data }) }));
}
