import { chaosRounds } from './chaos/index.js';

/** `tsx test/tasks/chaos-main.ts [rounds] [seed]`: exits with 1 at the first broken promise. */
const [rounds = '1000', seed = String(Date.now() % 1e6)] = process.argv.slice(2);
process.stderr.write(`${rounds} rounds with seed ${seed}\n`);
const result = await chaosRounds({
  rounds: Number(rounds),
  seed: Number(seed),
  onRound(round, fault) {
    if (round % 50 === 0 || process.env['CHAOS_VERBOSE']) {
      process.stderr.write(`${round} of ${rounds}: ${fault}\n`);
    }
  },
});
process.stdout.write(`${JSON.stringify(result, undefined, 2)}\n`);
