/** Returns whole numbers below a limit. */
export type Random = (limit: number) => number;

/** The same numbers in every run. */
export function seeded(seed: number): Random {
  let state = seed >>> 0;
  return (limit) => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return Math.floor((state / 2 ** 32) * limit);
  };
}
