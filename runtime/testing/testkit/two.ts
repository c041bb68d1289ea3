import type { TaskStore } from '../../tasks/index.js';
import type { Trial } from './trial.js';

/** Opens a place twice, as two processes would. */
export async function withTwo(
  { open }: Trial,
  work: (one: TaskStore, other: TaskStore) => Promise<void>,
): Promise<void> {
  const [one, other] = [await open(), await open()];
  await work(one, other);
}
