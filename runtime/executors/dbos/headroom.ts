import type { ExecutorHost } from '../../tasks/index.js';
import type { QueueDefinition } from './names.js';
import type { WorkflowQueue } from './queue.js';

const EVERY_MS = 1_000;
/** How long no handler here waits before the limit is lowered again. */
const QUIET_MS = 60_000;

export interface HeadroomDependencies {
  readonly host: ExecutorHost;
  readonly queue: WorkflowQueue;
  /** The queue as it is while no handler waits. */
  readonly definition: QueueDefinition;
  /** Handlers of this node that wait for input, or for a slot after it. */
  readonly away: () => number;
}

/**
 * DBOS counts a workflow until it is over, and so a handler that waits for input too. This raises DBOS's limits by
 * the number of those handlers, rounded up to a power of two. The limits are one row for all nodes, so a node may
 * claim more tasks than it has slots: these wait here for a slot. Returns what stops it.
 */
export function startHeadroom({ host, queue, definition, away }: HeadroomDependencies): () => void {
  const { clock, timers, report } = host;
  let stopped = false;
  let raised = false;
  let neededAt = -Infinity;

  async function adjust(): Promise<void> {
    const needed = away();
    const now = clock.monotonic();
    if (needed > 0) {
      neededAt = now;
      const wanted = raisedBy(definition, 2 ** Math.ceil(Math.log2(needed)));
      // Another node may have lowered it, or raised it higher.
      const current = await queue.workerConcurrency(definition.name);
      if (current < wanted.workerConcurrency) await queue.define(wanted);
      raised = true;
    } else if (raised && now - neededAt >= QUIET_MS) {
      // A node that needs it still raises it again.
      raised = false;
      await queue.define(definition);
    }
  }

  function schedule(): void {
    if (stopped) return;
    timers.after(EVERY_MS, () => {
      if (!stopped) void adjust().catch(report).finally(schedule);
    });
  }

  schedule();
  return () => {
    stopped = true;
  };
}

function raisedBy(definition: QueueDefinition, headroom: number): QueueDefinition {
  return {
    ...definition,
    workerConcurrency: definition.workerConcurrency + headroom,
    partitionWorkerConcurrency: definition.partitionWorkerConcurrency + headroom,
  };
}
