import type { Progress } from '../../runtime/tasks/index.js';

/** What the tests of threads run in one. */
export function run(
  order: {
    readonly add?: readonly [number, number];
    readonly fail?: string;
    readonly exit?: number;
    readonly spin?: boolean;
  },
  report: (progress: Progress) => void,
): number {
  report({ progress: 1 });
  if (order.fail !== undefined) throw new Error(order.fail);
  if (order.exit !== undefined) process.exit(order.exit);
  while (order.spin === true);
  const [a, b] = order.add ?? [0, 0];
  return a + b;
}
