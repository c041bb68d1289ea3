import { parentPort } from 'node:worker_threads';

import type { Order, Reply, ThreadModule } from './messages.js';

/** The first module of each thread. It imports nothing that a thread does not need. */

async function serve({ module, args }: Order, post: (reply: Reply) => void): Promise<void> {
  try {
    const { run } = (await import(module)) as ThreadModule<unknown>;
    const result = await run(args, (progress) => post({ kind: 'progress', progress }));
    post({ kind: 'done', result });
  } catch (error) {
    post({ kind: 'failed', error: error instanceof Error ? error : new Error(String(error)) });
  }
}

parentPort?.on('message', (order: Order) => {
  void serve(order, (reply) => parentPort?.postMessage(reply));
});
