/** Chance under a seed. */
export interface Random {
  /** From 0 to below 1. */
  fraction(this: void): number;
  /** An integer from 0 to `below` - 1. */
  integer(this: void, below: number): number;
  chance(this: void, probability: number): boolean;
  pick<T>(this: void, choices: readonly T[]): T;
}

export function createRandom(seed: number): Random {
  let state = seed >>> 0;

  /** Mulberry32: small, and good enough to shuffle a schedule. */
  function fraction(): number {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  }

  return {
    fraction,
    integer: (below) => Math.floor(fraction() * below),
    chance: (probability) => fraction() < probability,
    pick(choices) {
      const choice = choices[Math.floor(fraction() * choices.length)];
      if (choice === undefined) throw new Error('Nothing to pick from');
      return choice;
    },
  };
}
