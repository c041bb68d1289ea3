/**
 * `npm run mutation -- --room runtime/tasks --size 150 --seed 1`: how many small faults of a room its unit tests find.
 * Draws mutants of the room's files by seed, runs for each the unit tests that import its file until one fails, and
 * prints those that survive. The sources on the disk stay as they are. Exit code 1 when the tests fail without a fault.
 */
import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { importersIn, sources, testsOf } from './covering.js';
import { drawn } from './drawn.js';
import { mutantsOf } from './mutants.js';
import type { Mutant } from './mutants.js';
import type { Trial } from './vitest.config.js';

type Outcome = 'killed' | 'survived' | 'timeout';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const VITEST = `${ROOT}node_modules/vitest/vitest.mjs`;
/** Copied out as text, which only the tests of built files run. */
const LEFT_OUT = /^generator\/emit\/support\//;

const { values } = parseArgs({
  options: {
    room: { type: 'string' },
    size: { type: 'string', default: '150' },
    seed: { type: 'string', default: '1' },
    jobs: { type: 'string', default: String(availableParallelism()) },
    /** For one run, in seconds; the first, without a fault, has no limit. */
    limit: { type: 'string', default: '180' },
  },
});
const { room, size, seed, jobs, limit } = values;
if (room === undefined) throw new Error('Name a room: --room runtime/tasks');

const files = sources(ROOT, room).filter((file) => !LEFT_OUT.test(file));
const all = files.flatMap((file) => mutantsOf(file, readFileSync(ROOT + file, 'utf8')));
const sample = drawn(all, Number(size), Number(seed));
const importers = importersIn(ROOT);
const count: Record<Outcome, number> = { killed: 0, survived: 0, timeout: 0 };

/** Runs tests until one fails. A run that takes longer than `limit` is ended: most faults of loops show like this. */
function run(trial: Trial, seconds?: number): Promise<Outcome> {
  const child = spawn(
    process.execPath,
    [VITEST, 'run', '--config', 'scripts/mutation/vitest.config.ts'],
    {
      cwd: ROOT,
      // `CI` keeps missing golden files from being written.
      env: { ...process.env, CI: 'true', MUTATION_TRIAL: JSON.stringify(trial) },
      stdio: 'ignore',
      detached: true,
    },
  );
  return new Promise((resolve, reject) => {
    let isLate = false;
    const end = (): void => {
      isLate = true;
      if (child.pid !== undefined) process.kill(-child.pid, 'SIGKILL');
    };
    const timer = seconds === undefined ? undefined : setTimeout(end, seconds * 1000);
    child.on('error', reject).on('close', (code) => {
      clearTimeout(timer);
      resolve(isLate ? 'timeout' : code === 0 ? 'survived' : 'killed');
    });
  });
}

async function tryOut(mutant: Mutant): Promise<void> {
  const tests = testsOf(mutant.file, room ?? '', importers);
  const outcome = tests.length === 0 ? 'survived' : await run({ tests, mutant }, Number(limit));
  count[outcome] += 1;
  const text = readFileSync(ROOT + mutant.file, 'utf8').slice(mutant.start, mutant.end);
  const place = `${mutant.file}:${String(mutant.line)}`;
  console.log(
    `${outcome} ${place} ${mutant.kind}: ${oneLine(text)} -> ${oneLine(mutant.replacement)}`,
  );
}

const oneLine = (text: string): string => text.replace(/\s+/g, ' ').slice(0, 70);

/** Tests that fail without a fault would find every fault. */
async function checkBaseline(): Promise<void> {
  const changed = [...new Set(sample.map(({ file }) => file))];
  const tests = [...new Set(changed.flatMap((file) => testsOf(file, room ?? '', importers)))];
  if ((await run({ tests })) === 'survived') return;
  console.error(`Tests fail without a fault. Run them: npx vitest run ${tests.join(' ')}`);
  process.exit(1);
}

await checkBaseline();
const waiting = [...sample];
await Promise.all(
  Array.from({ length: Number(jobs) }, async () => {
    for (let next = waiting.shift(); next; next = waiting.shift()) await tryOut(next);
  }),
);
const found = count.killed + count.timeout;
console.log(
  `${room}: ${String(found)} of ${String(sample.length)} found (${((100 * found) / sample.length).toFixed(0)} %), ` +
    `${String(count.timeout)} of them by the time limit; ${String(all.length)} mutants in all, seed ${seed}`,
);
