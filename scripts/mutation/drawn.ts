/** `count` elements in the order in which they are drawn; the same for the same seed. */
export function drawn<T>(all: readonly T[], count: number, seed: number): T[] {
  const left = [...all];
  const random = randomFrom(seed);
  const chosen: T[] = [];
  while (chosen.length < count && left.length > 0) {
    chosen.push(...left.splice(Math.floor(random() * left.length), 1));
  }
  return chosen;
}

/** Numbers from 0 to 1, by a counter whose bits are mixed. */
function randomFrom(seed: number): () => number {
  let counter = seed;
  return () => {
    counter = (counter + 0x9e37_79b9) | 0;
    let mixed = Math.imul(counter ^ (counter >>> 16), 0x85eb_ca6b);
    mixed = Math.imul(mixed ^ (mixed >>> 13), 0xc2b2_ae35);
    return ((mixed ^ (mixed >>> 16)) >>> 0) / 2 ** 32;
  };
}
