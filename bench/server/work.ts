import { setTimeout as sleep } from 'node:timers/promises';

/** What the tools of either server do: the same work, which says when it was done or given up. */

/** Milliseconds since the epoch, finely: comparable between processes of one machine. */
export const now = (): number => performance.timeOrigin + performance.now();

/** When the work of `endless` was given up. */
export const aborts: number[] = [];

/** By the name of the tool. Resolves with the moment at which it was done. */
export const WORK: Readonly<Record<string, (signal: AbortSignal) => Promise<number>>> = {
  quick: () => Promise.resolve(now()),
  job: async () => {
    await sleep(50);
    return now();
  },
  endless: (signal) =>
    new Promise((resolve) => {
      signal.addEventListener('abort', () => {
        aborts.push(now());
        resolve(now());
      });
    }),
};
