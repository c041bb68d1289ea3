import { ms, type Bench } from '../bench.js';
import { inChild } from './child.js';

/** The cost of idle tasks and waiters, and whether they keep the process alive. */
export const footprint: Bench = {
  name: 'tasks/footprint',
  async run() {
    const ours = await inChild('./child-timers.ts', 'ours');
    const theirs = await inChild('./child-timers.ts', 'peer');
    const waiting = await inChild('./child-waiters.ts', 'ours');
    const peerWaiting = await inChild('./child-waiters.ts', 'peer');
    return [
      {
        row: 'timers of 1,000 tasks; exit after close',
        goal: '0 a task; ≤ 100 ms',
        ours: `${ours['timers']} in all; ${ms(ours['exitMs'] ?? NaN)}`,
        peer: `${theirs['timers']} in all; ${ms(theirs['exitMs'] ?? NaN)} (TTL 5.4 s)`,
        met: (ours['timers'] ?? NaN) <= 1 && (ours['exitMs'] ?? NaN) <= 100,
      },
      {
        row: '1,000 waiters',
        goal: '≤ 0.5 % CPU, ≤ 4 KB each, no growth',
        ours: describe(waiting),
        peer: describe(peerWaiting),
        met:
          (waiting['cpuPercent'] ?? NaN) <= 0.5 &&
          (waiting['bytesEach'] ?? NaN) <= 4_096 &&
          (waiting['growthEach'] ?? NaN) <= 64,
      },
    ];
  },
};

function describe({ cpuPercent, bytesEach, growthEach }: Record<string, number>): string {
  const kilobytes = (bytes = NaN): string => `${(bytes / 1_024).toFixed(2)} KB`;
  return `${cpuPercent?.toFixed(2)} % CPU, ${kilobytes(bytesEach)} each, ${kilobytes(growthEach)} grown`;
}
