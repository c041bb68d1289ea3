import { AsyncLocalStorage } from 'node:async_hooks';

import type { StepWrapper } from '../../tasks/index.js';
import { dbos } from './packages.js';

/**
 * Makes a handler's steps steps of the current workflow, so that DBOS's tools show them. Call it inside the
 * workflow.
 *
 * DBOS only watches. The task's record decides whether a step has to run, so that a step that is recorded never
 * runs again, and a fault of DBOS does not become a fault of the step. Results stay in the record.
 */
export function createStepWrapper(fence: number, report: (error: unknown) => void): StepWrapper {
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
