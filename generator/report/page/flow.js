/* global document */
import { classOf, columns, mateOf, senderOf, statusOf } from './data.js';
import { layLanes, positionOf, spansIn } from './lanes.js';

const SVG = 'http://www.w3.org/2000/svg';
const ACTIVE = 7;
const TASK = 9;
const MOST_ACTIVE = 4;
const MOST_TASKS = 5;
export const ROW = 46;
/** Where the arrow of a row is, below its label. */
const ARROW = 34;

/** Open requests and tasks beside the lifelines, for the rows that are shown. */
export const layOut = (rows) => {
  const asked = { client: [], server: [] };
  const tasks = new Map();
  rows.forEach((row, at) => {
    const mate = columns.kind[row] === 'q' ? mateOf(row) : undefined;
    const to = mate === undefined ? -1 : positionOf(rows, mate);
    const side = senderOf(row);
    if (side && rows[to] === mate && to > at) asked[side].push({ from: at, to });
    note(tasks, row, at);
  });
  const spans = [...tasks.values()].sort((a, b) => a.from - b.from);
  return {
    // A request is open at its receiver.
    server: layLanes(asked.client, MOST_ACTIVE),
    client: layLanes(asked.server, MOST_ACTIVE),
    tasks: layLanes(spans, MOST_TASKS),
  };
};

const note = (tasks, row, at) => {
  const task = columns.task[row];
  if (task < 0) return;
  if (!tasks.has(task)) tasks.set(task, { from: at, to: at, states: [] });
  const span = tasks.get(task);
  span.to = at;
  if (columns.change[row] === '1') span.states.push([at, statusOf(row)]);
};

/** The width of the lanes at the right. */
export const tasksWidth = ({ tasks }) => (tasks.length > 0 ? 10 + tasks.length * (TASK + 3) : 0);

const shape = (name, classes, attributes) => {
  const drawn = document.createElementNS(SVG, name);
  drawn.setAttribute('class', classes);
  for (const [key, value] of Object.entries(attributes)) drawn.setAttribute(key, value);
  return drawn;
};

/** Draws the rows from `first` to `last` into a picture whose top is the top of the first. */
export const draw = (picture, rows, lanes, { first, last, left, right }) => {
  const parts = [];
  const height = (last - first + 1) * ROW;
  for (const x of [left, right])
    parts.push(shape('line', 'life', { x1: x, x2: x, y1: 0, y2: height }));
  const top = (at) => (at - first) * ROW;
  const clip = (from, to) => {
    const y = Math.max(-ROW, from);
    return { y, height: Math.max(3, Math.min(height + ROW, to) - y) };
  };
  for (const [x, side] of [
    [left, lanes.client],
    [right, lanes.server],
  ]) {
    side.forEach((lane, index) => {
      for (const { from, to } of spansIn(lane, first, last)) {
        const place = clip(top(from) + ARROW, top(to) + ARROW);
        const offset = (index - 0.5) * ACTIVE * (x === left ? -1 : 1);
        parts.push(shape('rect', 'open', { x: x + offset, width: ACTIVE - 1, rx: 2, ...place }));
      }
    });
  }
  lanes.tasks.forEach((lane, index) => {
    const x = right + 14 + index * (TASK + 3);
    for (const span of spansIn(lane, first, last)) {
      parts.push(...taskParts(span, x, top, clip));
    }
  });
  for (let at = first; at <= last; at += 1) {
    parts.push(...arrow(rows[at], top(at) + ARROW, left, right));
  }
  picture.replaceChildren(...parts);
};

const taskParts = ({ from, to, states }, x, top, clip) => {
  const shown = states.length > 0 && states[0][0] <= from ? states : [[from, 'unknown'], ...states];
  return shown.map(([at, status], index) => {
    const end = index + 1 < shown.length ? shown[index + 1][0] : to;
    const place = clip(top(at) + ARROW - 5, top(end) + ARROW + (index + 1 < shown.length ? -5 : 5));
    return shape('rect', classOf(status), { x, width: TASK, rx: 3, ...place });
  });
};

const KINDS = { q: 'request', n: 'notification', r: 'response', e: 'error', x: 'note' };

const arrow = (row, y, left, right) => {
  const side = senderOf(row);
  const question = columns.question[row] === '1' ? ' question' : '';
  const kind = `arrow ${KINDS[columns.kind[row]]}${question}`;
  if (!side) {
    const middle = (left + right) / 2;
    return [shape('circle', kind, { cx: middle, cy: y, r: 4 })];
  }
  const [from, to] = side === 'client' ? [left + 5, right - 5] : [right - 5, left + 5];
  const sign = Math.sign(to - from);
  const head = `M${to - 9 * sign} ${y - 5}L${to} ${y}L${to - 9 * sign} ${y + 5}`;
  const parts = [
    shape('line', kind, { x1: from, x2: to, y1: y, y2: y }),
    shape('path', `${kind} head`, { d: head }),
    shape('circle', `${kind} tail`, { cx: from, cy: y, r: 2.5 }),
  ];
  const progress = columns.progress[row];
  if (progress >= 0) {
    const width = Math.abs(to - from) - 24;
    const x = Math.min(from, to) + 12;
    parts.push(shape('rect', 'track', { x, y: y + 3, width, height: 5, rx: 2 }));
    parts.push(
      shape('rect', 'progress', { x, y: y + 3, width: width * progress, height: 5, rx: 2 }),
    );
  }
  return parts;
};
