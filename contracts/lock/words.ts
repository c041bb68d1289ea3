/** A part of two texts: in both, in the old one only, or in the new one only. */
export interface Piece {
  readonly kind: 'same' | 'gone' | 'new';
  readonly text: string;
}

/** Words in the table of one comparison; longer texts are compared as a whole between their first and last difference. */
const MOST_CELLS = 1_000_000;

/** Compares two texts word by word. */
export function wordDiff(before: string, after: string): readonly Piece[] {
  const [old, now] = [words(before), words(after)];
  let start = 0;
  while (start < Math.min(old.length, now.length) && old[start] === now[start]) start += 1;
  let end = 0;
  const most = Math.min(old.length, now.length) - start;
  while (end < most && old[old.length - 1 - end] === now[now.length - 1 - end]) end += 1;
  const middle = compared(old.slice(start, old.length - end), now.slice(start, now.length - end));
  return joined([
    ...old.slice(0, start).map((text): Piece => ({ kind: 'same', text })),
    ...middle,
    ...old.slice(old.length - end).map((text): Piece => ({ kind: 'same', text })),
  ]);
}

/** Words and what is between them. */
function words(text: string): string[] {
  return text.split(/(\s+)/).filter((word) => word !== '');
}

function compared(old: readonly string[], now: readonly string[]): Piece[] {
  const gone = (text: string): Piece => ({ kind: 'gone', text });
  const added = (text: string): Piece => ({ kind: 'new', text });
  if (old.length * now.length > MOST_CELLS) return [...old.map(gone), ...now.map(added)];
  const lengths = commonLengths(old, now);
  const pieces: Piece[] = [];
  let [i, j] = [0, 0];
  while (i < old.length || j < now.length) {
    const [was, is] = [old[i], now[j]];
    if (was !== undefined && was === is) {
      pieces.push({ kind: 'same', text: was });
      i += 1;
      j += 1;
    } else if (
      was !== undefined &&
      (is === undefined || (lengths[i + 1]?.[j] ?? 0) >= (lengths[i]?.[j + 1] ?? 0))
    ) {
      pieces.push(gone(was));
      i += 1;
    } else if (is !== undefined) {
      pieces.push(added(is));
      j += 1;
    }
  }
  return pieces;
}

/** The length of the longest common part of the rest of both, from each pair of positions. */
function commonLengths(old: readonly string[], now: readonly string[]): readonly Uint32Array[] {
  const rows = Array.from({ length: old.length + 1 }, () => new Uint32Array(now.length + 1));
  for (let i = old.length - 1; i >= 0; i -= 1) {
    for (let j = now.length - 1; j >= 0; j -= 1) {
      const [row, below] = [rows[i], rows[i + 1]];
      if (!row || !below) continue;
      row[j] =
        old[i] === now[j] ? (below[j + 1] ?? 0) + 1 : Math.max(below[j] ?? 0, row[j + 1] ?? 0);
    }
  }
  return rows;
}

/** Neighbours of one kind as one. */
function joined(pieces: readonly Piece[]): Piece[] {
  const all: Piece[] = [];
  for (const piece of pieces) {
    const last = all.at(-1);
    if (last?.kind === piece.kind) all[all.length - 1] = { ...last, text: last.text + piece.text };
    else all.push(piece);
  }
  return all;
}
