/**
 * Puts spans side by side: no two of a lane share a position. `spans` are sorted by `from`. Those that find
 * no lane among the `most` are left out.
 */
export const layLanes = (spans, most) => {
  const lanes = [];
  for (const span of spans) {
    let lane = lanes.findIndex((each) => each[each.length - 1].to < span.from);
    if (lane < 0 && lanes.length < most) lane = lanes.push([]) - 1;
    if (lane >= 0) lanes[lane].push(span);
  }
  return lanes;
};

/** The spans of a lane that touch the positions from `first` to `last`. */
export const spansIn = (lane, first, last) => {
  let low = 0;
  let high = lane.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (lane[middle].to < first) low = middle + 1;
    else high = middle;
  }
  const found = [];
  for (; low < lane.length && lane[low].from <= last; low += 1) found.push(lane[low]);
  return found;
};

/** The position of a row among sorted rows, or where it would stand. */
export const positionOf = (rows, row) => {
  let low = 0;
  let high = rows.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (rows[middle] < row) low = middle + 1;
    else high = middle;
  }
  return low;
};
