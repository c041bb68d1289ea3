/** A seeded source of choices: the same seed, the same choices, on every machine. */
export interface Random {
  /** An integer in [0, limit). */
  below(limit: number): number;
  /** True once in `1 / probability` times. */
  chance(probability: number): boolean;
  pick<T>(items: readonly T[]): T;
  /** Up to `count` of the items, in their own order. */
  sample<T>(items: readonly T[], count: number): T[];
}

/** mulberry32: 32 bits of state, quick, and good enough to choose test cases with. */
export function createRandom(seed: number): Random {
  let state = seed >>> 0;
  const unit = (): number => {
    state = (state + 0x6d2b79f5) >>> 0;
    return scramble(state) / 2 ** 32;
  };
  const below = (limit: number): number => Math.floor(unit() * limit);
  return {
    below,
    chance: (probability) => unit() < probability,
    pick(items) {
      const item = items[below(items.length)];
      if (item === undefined) throw new Error('Nothing to pick from');
      return item;
    },
    sample(items, count) {
      // Selection sampling: one pass, order kept.
      let wanted = Math.min(count, items.length);
      return items.filter((_, index) => {
        const taken = unit() * (items.length - index) < wanted;
        if (taken) wanted--;
        return taken;
      });
    },
  };
}

/** A seed for one part of a whole, so that parts do not depend on their order. */
export function deriveSeed(seed: number, part: string | number): number {
  let hash = seed >>> 0;
  for (const character of String(part)) {
    hash = scramble((hash ^ (character.codePointAt(0) ?? 0)) + 0x9e3779b9);
  }
  return hash;
}

function scramble(state: number): number {
  let mixed = Math.imul(state ^ (state >>> 15), state | 1);
  mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
  return (mixed ^ (mixed >>> 14)) >>> 0;
}
