import { setTimeout as sleep } from 'node:timers/promises';

/** The work of the tools of both servers, which returns the time of its end or abort. */

/** Milliseconds since the epoch with fractions, comparable between processes of one machine. */
export const now = (): number => performance.timeOrigin + performance.now();

/** The time at which the work of `endless` was aborted. */
export const aborts: number[] = [];

/** By tool name. Resolves with the time of the end. */
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
