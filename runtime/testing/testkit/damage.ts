import assert from 'node:assert/strict';
import { readFileSync, statSync, truncateSync, writeFileSync } from 'node:fs';
import { isDeepStrictEqual } from 'node:util';

import type { TaskStore } from '../../tasks/index.js';
import { insertAll, sampleTask } from './sample.js';
import type { Check, Trial } from './trial.js';

/** Enough tasks for files of several pages. */
const TASKS = Array.from({ length: 60 }, (_, n) =>
  sampleTask(n, { args: JSON.stringify(`${n}`.repeat(1_500)) }),
);

const DAMAGES: Readonly<Record<string, (file: string) => void>> = {
  'was emptied': (file) => truncateSync(file),
  'was cut in half': (file) => truncateSync(file, Math.floor(statSync(file).size / 2)),
  'begins with other bytes': (file) =>
    change(file, (bytes) => bytes.fill('Dear diary, ', 0, Math.min(bytes.length, 4_096))),
  'is zeros from its middle on': (file) =>
    change(file, (bytes) => bytes.fill(0, Math.floor(bytes.length / 2))),
};

function change(file: string, work: (bytes: Buffer) => unknown): void {
  const bytes = readFileSync(file);
  work(bytes);
  writeFileSync(file, bytes);
}

/** What a store does with files that it did not write so: it says so, instead of having no tasks. */
export const damageChecks: readonly Check[] = Object.entries(DAMAGES).map(
  ([what, damage]): Check => ({
    name: `refuses a file that ${what}, and does not read it as one without tasks`,
    needs: ['files'],
    async run(trial) {
      const store = await trial.open();
      await insertAll(store, TASKS);
      await store.close();
      const files = trial
        .files()
        .filter((file) => (statSync(file, { throwIfNoEntry: false })?.size ?? 0) > 0);
      assert.notDeepEqual(files, [], 'None of the files of the closed store has any content');
      const whole = files.map((file) => readFileSync(file));
      for (const file of files) {
        damage(file);
        await assertNoticed(trial, `${file}, which ${what}`);
        // The next file is damaged alone.
        for (const [index, each] of files.entries()) writeFileSync(each, whole[index] ?? '');
      }
    },
  }),
);

/** Some operation rejects, unless every task is there as it was. */
async function assertNoticed(trial: Trial, file: string): Promise<void> {
  let store: TaskStore;
  try {
    store = await trial.open();
  } catch {
    return;
  }
  const found = await Promise.allSettled(TASKS.map((task) => store.get(task)));
  const others = await Promise.allSettled([store.probe()]);
  await store.close().catch(() => undefined);
  if ([...found, ...others].some(({ status }) => status === 'rejected')) return;
  const same = found.filter(
    (each, index) => each.status === 'fulfilled' && isDeepStrictEqual(each.value, TASKS[index]),
  );
  assert.equal(
    same.length,
    TASKS.length,
    `The store rejects nothing after reading ${file}, and has ${same.length} of ${TASKS.length} tasks`,
  );
}
