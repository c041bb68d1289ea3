import type { TaskRecord } from './record.js';

/** Writes that share a transaction: by their number, and by what they write. */
export interface GroupLimits {
  readonly most: number;
  /** Characters of payloads in all, unless the first write has more. */
  readonly largest: number;
}

/** How many writes, from the first one, form the next group: at least one. `sizes` are their characters. */
export function groupLength(sizes: Iterable<number>, { most, largest }: GroupLimits): number {
  let [count, size] = [0, 0];
  for (const each of sizes) {
    size += each;
    if (count === most || (count > 0 && size > largest)) break;
    count += 1;
  }
  return count;
}

/** Characters of the payloads that an insertion writes. */
export function insertSize(record: TaskRecord): number {
  return record.args.length + updateSize(record);
}

/** Characters of the payloads that an update writes: all but the arguments, which never change. */
export function updateSize({ input, steps, outcome = '' }: TaskRecord): number {
  let size = outcome.length;
  for (const { params, answer = '' } of input) size += params.length + answer.length;
  for (const { result = '' } of steps) size += result.length;
  return size;
}
