import { isTerminal, type ExecutorHost } from '../../tasks/index.js';
import type { WorkflowQueue } from './queue.js';

const EVERY_MS = 60_000;
const PAGE = 500;

export interface JanitorDependencies {
  readonly host: ExecutorHost;
  readonly queue: WorkflowQueue;
  readonly historyMs: number;
}

/**
 * Tidies DBOS's tables: deletes workflows that ended long ago, and ends those whose worker was lost after it had
 * recorded the end of the task. The latter count towards `concurrencyPerTool`. Returns what stops it.
 */
export function startJanitor({ host, queue, historyMs }: JanitorDependencies): () => void {
  const { clock, timers, store, report } = host;
  let stopped = false;

  async function prune(): Promise<void> {
    while ((await queue.prune(clock.now() - historyMs, PAGE)) === PAGE && !stopped);
  }

  async function endFinished(): Promise<void> {
    const before = clock.now() - EVERY_MS;
    /** Of tasks that live. They may be thousands, which wait for input for days. */
    let skipped = 0;
    for (;;) {
      const claimed = await queue.claimedBefore(before, PAGE, skipped);
      const records = await Promise.all(claimed.map((key) => store.get(key)));
      const finished = claimed.filter((_, index) => {
        const record = records[index];
        return record === undefined || isTerminal(record.status);
      });
      // The next worker that claims one finds nothing to do.
      if (finished.length > 0) await queue.resume(finished);
      if (claimed.length < PAGE || stopped) return;
      skipped += claimed.length - finished.length;
    }
  }

  async function tidy(): Promise<void> {
    try {
      await prune();
      await endFinished();
    } catch (error) {
      report(error);
    }
    schedule();
  }

  function schedule(): void {
    if (!stopped) timers.after(EVERY_MS, () => stopped || void tidy());
  }

  schedule();
  return () => {
    stopped = true;
  };
}
