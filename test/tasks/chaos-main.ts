import { chaosRounds } from './chaos/index.js';
import type { ExecutorKind } from './chaos/node.js';

/**
 * `tsx test/tasks/chaos-main.ts [rounds] [seed] [in-process|dbos]`: exits with 1 at the first broken promise.
 * `CHAOS_VERBOSE=1` names each fault.
 */
const [rounds = '1000', seed = String(Date.now() % 1e6), executor = 'in-process'] =
  process.argv.slice(2);
process.stderr.write(`${rounds} rounds with seed ${seed}, executor ${executor}\n`);
const result = await chaosRounds({
  rounds: Number(rounds),
  seed: Number(seed),
  executor: executor as ExecutorKind,
  onRound(round, fault) {
    if (round % 50 === 0 || process.env['CHAOS_VERBOSE']) {
      process.stderr.write(`${round} of ${rounds}: ${fault}\n`);
    }
  },
});
process.stdout.write(`${JSON.stringify(result, undefined, 2)}\n`);
