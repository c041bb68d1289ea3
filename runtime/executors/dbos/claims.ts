import { AsyncLocalStorage } from 'node:async_hooks';
import {
  deferred,
  isTerminal,
  subjectKeyOf,
  type ExecutorHost,
  type TaskKey,
  type TaskRecord,
  type TaskSummary,
  type StepWrapper,
} from '../../tasks/index.js';
import type { Runs } from '../shared/index.js';
import type { Dispatch } from './dispatch.js';
import type { WorkflowQueue } from './queue.js';
import type { WorkflowTask } from './names.js';
import { dbos } from './packages.js';

const RETRY_MS = 1_000;

export interface ClaimDependencies {
  readonly host: ExecutorHost;
  readonly worker: string;
  readonly runs: Runs;
  readonly dispatch: Dispatch;
  readonly queue: WorkflowQueue;
}

/** A task that this node has made its own. */
interface Taken {
  readonly task: TaskRecord;
  /** It has a slot. */
  readonly reserved: boolean;
}

/** Runs the tasks whose workflows this node has claimed. */
export class Claims {
  readonly #dependencies: ClaimDependencies;
  /** Ids of tasks that this node is about to make its own. */
  readonly #taking = new Set<string>();
  /** Tasks that this node gave up when it closed. */
  readonly #givenUp: WorkflowTask[] = [];
  readonly #handedBack = deferred<void>();
  #closing = false;

  constructor(dependencies: ClaimDependencies) {
    this.#dependencies = dependencies;
  }

  /** The workflow of a task. Resolves when the workflow is over, rejects when another worker has it. */
  async run(key: WorkflowTask): Promise<void> {
    const taken = await this.#take(key);
    const how = taken && (await this.#execute(taken));
    if (how === 'ended') return;
    if (this.#closing) return this.#giveUp(key);
    // Otherwise DBOS would take the workflow for finished, and no worker could resume it.
    if (how === 'stopped' && (await this.#isLive(key)))
      throw new dbos.DBOSWorkflowConflictError(key.id);
  }

  /** From now on what is claimed is given up. */
  close(): void {
    this.#closing = true;
  }

  /** Puts the workflows that were given up back into their queues, where other workers claim them at once. */
  async handBack(): Promise<void> {
    const { queue, host } = this.#dependencies;
    try {
      if (this.#givenUp.length > 0) await queue.resume(this.#givenUp);
    } catch (error) {
      // Found by others: no worker holds these tasks any more.
      host.report(error);
    }
    this.#handedBack.resolve();
  }

  /** The workflow is not over before it is back in its queue. */
  #giveUp(key: WorkflowTask): Promise<void> {
    this.#givenUp.push(key);
    return this.#handedBack.promise;
  }

  /** Makes the task this node's own. Resolves with undefined when it is not to run here. */
  async #take(key: TaskKey): Promise<Taken | undefined> {
    // DBOS may claim a workflow again while its first claim waits for the store.
    if (this.#taking.has(key.id)) return undefined;
    this.#taking.add(key.id);
    try {
      return await this.#tryToTake(key);
    } finally {
      this.#taking.delete(key.id);
    }
  }

  async #tryToTake(key: TaskKey): Promise<Taken | undefined> {
    const { host, runs, worker } = this.#dependencies;
    /** The fence of an assignment that failed. The store may have made it. */
    let unconfirmed: number | undefined;
    while (!this.#closing) {
      try {
        const found = await host.store.get(key);
        if (found === undefined || isTerminal(found.status) || runs.holds(found)) return undefined;
        if (!hasNotStarted(found)) {
          const isOurs = found.worker === worker && found.fence === unconfirmed;
          return isOurs ? { task: found, reserved: runs.take(subjectKeyOf(found)) } : undefined;
        }
        if (await host.leaves(found)) {
          host.timers.after(RETRY_MS, () => void this.#leave(found));
          return undefined;
        }
        unconfirmed = found.fence + 1;
        const taken = await (found.worker === '' ? this.#adopt(found) : this.#assign(found));
        if (taken !== undefined) return taken;
      } catch (error) {
        host.report(error);
        await new Promise<void>((resolve) => host.timers.after(RETRY_MS, resolve));
      }
    }
    return undefined;
  }

  /** A task that its worker gave up. */
  async #adopt(task: TaskSummary): Promise<Taken | undefined> {
    const { host, worker } = this.#dependencies;
    const adopted = await host.adopt(task, worker);
    return adopted && { task: adopted, reserved: false };
  }

  /** A task that waits under the name of the node that answers for it. */
  async #assign(queued: TaskSummary): Promise<Taken | undefined> {
    const { host, worker, runs } = this.#dependencies;
    const subject = subjectKeyOf(queued);
    const reserved = runs.take(subject);
    let task: TaskRecord | undefined;
    try {
      task = await host.assign(queued, worker, reserved);
      return task && { task, reserved };
    } finally {
      if (reserved && task === undefined) runs.release(subject);
    }
  }

  async #execute({ task, reserved }: Taken): Promise<'ended' | 'stopped'> {
    const { host, runs, dispatch } = this.#dependencies;
    dispatch.taken(task);
    const wrapStep = createStepWrapper(task.fence, host.report);
    return new Promise((resolve) => runs.submit(task, { reserved, wrapStep, onOver: resolve }));
  }

  async #isLive(key: TaskKey): Promise<boolean> {
    const { store, report } = this.#dependencies.host;
    try {
      const found = await store.get(key);
      return found !== undefined && !isTerminal(found.status);
    } catch (error) {
      report(error);
      return true;
    }
  }

  /** Puts the workflow, which has ended here, back for other workers. */
  async #leave(task: TaskSummary): Promise<void> {
    const { queue, host } = this.#dependencies;
    try {
      const states = await queue.states([task]);
      if (states.get(task.id) === 'over') await queue.rewind(task);
    } catch (error) {
      // The node that handed the task over finds that no worker has taken it.
      host.report(error);
    }
  }
}

/** It waits under the name of the node that answers for it, or was given up and carries none. */
function hasNotStarted({ worker, queued }: TaskSummary): boolean {
  return worker === '' || queued === true;
}

/**
 * Makes a handler's steps steps of the current workflow, so that DBOS's tools show them. Call it inside the
 * workflow.
 *
 * DBOS only watches. The task's record decides whether a step has to run, so that a step that is recorded never
 * runs again, and a fault of DBOS does not become a fault of the step. Results stay in the record.
 */
function createStepWrapper(fence: number, report: (error: unknown) => void): StepWrapper {
  const inWorkflow = AsyncLocalStorage.snapshot();
  return async <T>(name: string, work: () => Promise<T>): Promise<T> => {
    const inHandler = AsyncLocalStorage.snapshot();
    let outcome: Promise<T> | undefined;
    const start = (): Promise<T> => (outcome ??= inHandler(work));
    // Work that outlives a shutdown is not watched any more.
    if (dbos.DBOS.isInitialized()) {
      await inWorkflow(() =>
        recorded(stepName(name, fence), async () => void (await start())),
      ).catch(
        // After the start the error is the step's own, or comes too late to matter.
        (error: unknown) => outcome === undefined && report(error),
      );
    }
    return start();
  };
}

/** DBOS numbers the steps of a workflow. A run skips the numbers that earlier runs of the task have used. */
async function recorded(name: string, work: () => Promise<void>): Promise<void> {
  for (;;) {
    try {
      return await dbos.DBOS.runStep(work, { name });
    } catch (error) {
      if (!(error instanceof dbos.Error.DBOSUnexpectedStepError)) throw error;
    }
  }
}

/** The fence of a task's first run: it was created with 1, and its worker took it. */
const FIRST_FENCE = 2;

/** Each run names its steps differently, so that DBOS does not take a step of an earlier run for one of this. */
function stepName(name: string, fence: number): string {
  // A text column takes neither lone surrogates nor U+0000.
  const text = Buffer.from(name).toString().replaceAll('\0', '\ufffd');
  return fence === FIRST_FENCE ? text : `${text} (fence ${fence})`;
}
