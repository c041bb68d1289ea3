/** The known name that is most similar; `undefined` when none is similar enough. */
export function nearest(written: string, known: readonly string[]): string | undefined {
  const limit = Math.max(1, Math.floor(written.length / 3));
  const [best] = known
    .map((name) => ({ name, distance: distance(written.toLowerCase(), name.toLowerCase()) }))
    .filter((each) => each.distance <= limit)
    .sort((a, b) => a.distance - b.distance);
  return (
    best?.name ?? (written.length > 2 ? known.find((it) => it.startsWith(written)) : undefined)
  );
}

const LONGEST = 64;

/** The Levenshtein distance, where a swap of two neighbours counts as one step. */
function distance(a: string, b: string): number {
  if (a.length > LONGEST || b.length > LONGEST) return Infinity;
  let before: number[] = [];
  let row = Array.from({ length: b.length + 1 }, (_, index) => index);
  for (let i = 1; i <= a.length; i += 1) {
    const next = [i];
    for (let j = 1; j <= b.length; j += 1) {
      const same = a[i - 1] === b[j - 1];
      const swapped = i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1];
      next[j] = Math.min(
        (row[j] ?? 0) + 1,
        (next[j - 1] ?? 0) + 1,
        (row[j - 1] ?? 0) + (same ? 0 : 1),
        swapped ? (before[j - 2] ?? 0) + 1 : Infinity,
      );
    }
    before = row;
    row = next;
  }
  return row[b.length] ?? Infinity;
}
