import { statusClass } from '../said.js';
import { mateOf } from './data.js';
import type { Message } from './data.js';
import { firstOf, layLanes, spansIn } from './lanes.js';
import type { Span } from './lanes.js';

const ACTIVE = 7;
const TASK = 9;
const MOST_ACTIVE = 4;
const MOST_TASKS = 5;
/** The height of a row, in pixels. */
export const ROW = 46;
/** Where the arrow of a row is, below its label. */
const ARROW = 34;

interface TaskSpan extends Span {
  readonly states: (readonly [at: number, status: string])[];
}

/** Open requests and tasks beside the lifelines. */
export interface Lanes {
  readonly client: Span[][];
  readonly server: Span[][];
  readonly tasks: TaskSpan[][];
}

/** The position of a message among those that are shown; -1 when it is not one of them. */
export function positionOf(shown: readonly Message[], message: Message | undefined): number {
  if (!message) return -1;
  const at = firstOf(shown, ({ index }) => index >= message.index);
  return shown[at] === message ? at : -1;
}

export function layOut(shown: readonly Message[]): Lanes {
  const asked: Record<'client' | 'server', Span[]> = { client: [], server: [] };
  const tasks = new Map<number, TaskSpan>();
  shown.forEach((message, at) => {
    const { kind, from, task, isChange, status = '' } = message;
    const to = kind === 'request' ? positionOf(shown, mateOf(message)) : -1;
    if (from && to > at) asked[from].push({ from: at, to });
    if (task === undefined) return;
    const span = tasks.get(task) ?? { from: at, to: at, states: [] };
    tasks.set(task, span);
    span.to = at;
    if (isChange) span.states.push([at, status]);
  });
  return {
    // A request is open at its receiver.
    server: layLanes(asked.client, MOST_ACTIVE),
    client: layLanes(asked.server, MOST_ACTIVE),
    tasks: layLanes([...tasks.values()], MOST_TASKS),
  };
}

/** The width of the lanes at the right. */
export const tasksWidth = ({ tasks }: Lanes): number =>
  tasks.length > 0 ? 10 + tasks.length * (TASK + 3) : 0;

interface PictureProps {
  readonly shown: readonly Message[];
  readonly lanes: Lanes;
  /** The positions of the rows in the picture, whose top is the top of the first. */
  readonly first: number;
  readonly last: number;
  readonly width: number;
  /** Where the lifelines are. */
  readonly left: number;
  readonly right: number;
}

export function Picture({ shown, lanes, first, last, width, left, right }: PictureProps) {
  const height = Math.max(0, last - first + 1) * ROW;
  const arrowAt = (at: number): number => (at - first) * ROW + ARROW;
  /** What lasts longer than the picture ends a row outside of it. */
  const clip = (from: number, to: number) => {
    const y = Math.max(-ROW, from);
    return { y, height: Math.max(3, Math.min(height + ROW, to) - y) };
  };
  return (
    <svg
      class="picture"
      aria-hidden="true"
      width={width}
      height={height}
      style={{ top: `${String(first * ROW)}px` }}
    >
      {[left, right].map((x) => (
        <line key={x} class="life" x1={x} x2={x} y1={0} y2={height} />
      ))}
      {(['client', 'server'] as const).flatMap((side) =>
        lanes[side].flatMap((lane, index) =>
          spansIn(lane, first, last).map(({ from, to }) => {
            const offset = (index - 0.5) * ACTIVE;
            const x = side === 'client' ? left - offset : right + offset;
            const place = clip(arrowAt(from), arrowAt(to));
            return (
              <rect
                key={`${side} ${String(from)}`}
                class="open"
                {...{ x, ...place }}
                width={ACTIVE - 1}
                rx={2}
              />
            );
          }),
        ),
      )}
      {lanes.tasks.flatMap((lane, index) =>
        spansIn(lane, first, last).flatMap(({ from, to, states }) => {
          const isKnown = states[0]?.[0] === from;
          const parts = isKnown ? states : [[from, 'unknown'] as const, ...states];
          return parts.map(([at, status], part) => {
            const next = parts[part + 1]?.[0];
            const end = next === undefined ? arrowAt(to) + 5 : arrowAt(next) - 5;
            return (
              <rect
                key={`task ${String(at)}`}
                class={statusClass(status)}
                x={right + 14 + index * (TASK + 3)}
                {...clip(arrowAt(at) - 5, end)}
                width={TASK}
                rx={3}
              />
            );
          });
        }),
      )}
      {shown.slice(first, last + 1).map((message, index) => (
        <Arrow key={message.index} {...{ message, left, right }} y={arrowAt(first + index)} />
      ))}
    </svg>
  );
}

interface ArrowProps extends Pick<PictureProps, 'left' | 'right'> {
  readonly message: Message;
  readonly y: number;
}

function Arrow({ message: { from, kind, isQuestion, progress }, y, left, right }: ArrowProps) {
  const classes = `arrow ${isQuestion ? 'question ' : ''}${kind}`;
  if (!from) return <circle class={classes} cx={(left + right) / 2} cy={y} r={4} />;
  const [start, end] = from === 'client' ? [left + 5, right - 5] : [right - 5, left + 5];
  const back = end - 9 * Math.sign(end - start);
  const bar = { x: Math.min(start, end) + 12, y: y + 3, height: 5, rx: 2 };
  const width = Math.abs(end - start) - 24;
  return (
    <g>
      <line class={classes} x1={start} x2={end} y1={y} y2={y} />
      <path class={classes} d={`M${back} ${y - 5}L${end} ${y}L${back} ${y + 5}`} />
      <circle class={`${classes} tail`} cx={start} cy={y} r={2.5} />
      {progress !== undefined && (
        <>
          <rect class="track" {...bar} width={width} />
          <rect class="progress" {...bar} width={width * progress} />
        </>
      )}
    </g>
  );
}
