/** What lasts from one position in the list to another. */
export interface Span {
  readonly from: number;
  to: number;
}

/**
 * Puts spans side by side: no two of a lane share a position. `spans` are sorted by `from`. Those that find
 * no lane among the `most` are left out.
 */
export function layLanes<S extends Span>(spans: readonly S[], most: number): S[][] {
  const lanes: S[][] = [];
  for (const span of spans) {
    const free = lanes.find((each) => (each.at(-1)?.to ?? -1) < span.from);
    if (free) free.push(span);
    else if (lanes.length < most) lanes.push([span]);
  }
  return lanes;
}

/** The spans of a lane that touch the positions from `first` to `last`. */
export function spansIn<S extends Span>(lane: readonly S[], first: number, last: number): S[] {
  const found: S[] = [];
  for (let at = firstOf(lane, ({ to }) => to >= first); at < lane.length; at += 1) {
    const span = lane[at];
    if (!span || span.from > last) break;
    found.push(span);
  }
  return found;
}

/** The first position whose item holds, of sorted items: all that follow hold too. */
export function firstOf<T>(items: readonly T[], holds: (item: T) => boolean): number {
  let low = 0;
  let high = items.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (holds(items[middle] as T)) high = middle;
    else low = middle + 1;
  }
  return low;
}
