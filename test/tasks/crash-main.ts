import { crashRounds, fullDiskRounds } from './crash.js';

/**
 * `tsx test/tasks/crash-main.ts [kill|full-disk] [rounds]`: kills a server again and again, 1,000 times
 * by default, or 300 times on a disk that fills up. Exits with 1 at the first broken promise.
 */
const [kind = 'kill', given] = process.argv.slice(2);
const play = kind === 'full-disk' ? fullDiskRounds : crashRounds;
const rounds = Number(given ?? (kind === 'full-disk' ? 300 : 1_000));
const result = await play(rounds, (done) => {
  if (done % 50 === 0) process.stderr.write(`${done} of ${rounds} rounds\n`);
});
process.stdout.write(`${JSON.stringify(result ?? 'skipped: cannot mount a tmpfs here')}\n`);
