import { crashRounds } from './crash.js';

/** `tsx test/tasks/crash-main.ts [rounds]`: as many kills as wanted, 1,000 by default. */
const rounds = Number(process.argv[2] ?? 1_000);
const result = await crashRounds(rounds, (done) => {
  if (done % 50 === 0) process.stderr.write(`${done} of ${rounds} rounds\n`);
});
process.stdout.write(`${JSON.stringify(result)}\n`);
