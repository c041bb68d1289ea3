import type { Metamodel } from '../../generator/emit/index.js';
import { isTerminal } from '../../runtime/rules/tasks.js';
import { DIALECT_REVISIONS } from '../../generator/ir/revisions/index.js';

type Dialect = NonNullable<Metamodel['tasks']>['dialect'];
type State = keyof typeof PLACES;

/** The left upper corner of each state in the drawing. */
const PLACES = {
  start: [10, 95],
  working: [230, 70],
  input_required: [230, 290],
  completed: [640, 10],
  failed: [640, 130],
  cancelled: [640, 290],
} as const;
const [WIDTH, HEIGHT] = [140, 50];

/** A change of a task's status, with the messages that cause or report it. */
interface Edge {
  readonly from: State;
  readonly to: State;
  readonly messages: readonly string[];
  /** Where the first line of the text begins. */
  readonly at: readonly [x: number, y: number];
}

const EDGES: Readonly<Record<Dialect, readonly Edge[]>> = {
  core: [
    edge('start', 'working', ['request with', 'params.task'], [60, 70]),
    edge('working', 'input_required', ['tasks/result: its stream', 'has a request'], [60, 200]),
    edge('input_required', 'working', ['answer to', 'that request'], [325, 200]),
    edge('working', 'completed', ['tasks/result: the result'], [400, 35]),
    edge('working', 'failed', ['tasks/result: an error'], [520, 112]),
    edge('working', 'cancelled', ['tasks/cancel'], [540, 212]),
    edge('input_required', 'cancelled', ['tasks/cancel'], [450, 335]),
  ],
  ext: [
    edge('start', 'working', ['tools/call, answered', 'by CreateTaskResult'], [40, 70]),
    edge('working', 'input_required', ['tasks/get has', 'inputRequests'], [100, 200]),
    edge('input_required', 'working', ['tasks/update with', 'inputResponses'], [325, 200]),
    edge('working', 'completed', ['tasks/get: the result'], [400, 35]),
    edge('working', 'failed', ['tasks/get: the error'], [520, 112]),
    edge('working', 'cancelled', ['tasks/cancel'], [540, 212]),
    edge('input_required', 'cancelled', ['tasks/cancel'], [450, 335]),
  ],
};

function edge(from: State, to: State, messages: readonly string[], at: Edge['at']): Edge {
  return { from, to, messages, at };
}

const TITLES: Readonly<Record<Dialect, string>> = {
  core: `Core tasks (${DIALECT_REVISIONS.core}): the sender of a request asks for a task`,
  ext: `The tasks extension (${DIALECT_REVISIONS.ext}): the server makes a task of a call`,
};

const NOTES: Readonly<Record<Dialect, string>> = {
  core: 'notifications/tasks/status and tasks/get contain the status after each change.',
  ext: 'notifications/tasks contains the same as tasks/get, for clients that subscribe.',
};

/** The life cycle of a task in both dialects, that of the page's protocol first. */
export function LifeCycle({ model }: { readonly model: Metamodel }) {
  const dialects: Dialect[] = model.tasks?.dialect === 'ext' ? ['ext', 'core'] : ['core', 'ext'];
  return (
    <section id="tasks" aria-labelledby="tasks-title">
      <h2 id="tasks-title">The life of a task</h2>
      {dialects.map((dialect) => (
        <Diagram dialect={dialect} />
      ))}
    </section>
  );
}

function Diagram({ dialect }: { readonly dialect: Dialect }) {
  const title = `${dialect}-tasks`;
  const edges = EDGES[dialect];
  const states = Object.keys(PLACES).filter((name) => name !== 'start') as State[];
  return (
    <section class="group">
      <h3 id={title}>{TITLES[dialect]}</h3>
      <div class="scroll" tabIndex={0} role="region" aria-labelledby={title}>
        <svg
          viewBox="0 0 790 360"
          role="img"
          aria-labelledby={title}
          aria-describedby={`${title}-text`}
        >
          <defs>
            <marker
              id={`${title}-arrow`}
              viewBox="0 0 10 10"
              refX="9"
              refY="5"
              markerWidth="7"
              markerHeight="7"
              orient="auto-start-reverse"
            >
              <path d="M0 0L10 5L0 10z" />
            </marker>
          </defs>
          {edges.map((each) => (
            <Line edge={each} arrow={`${title}-arrow`} />
          ))}
          <circle cx="20" cy="95" r="8" />
          {states.map((state) => (
            <Box state={state} />
          ))}
        </svg>
      </div>
      <ul id={`${title}-text`} class="changes">
        {edges.map(({ from, to, messages }) => (
          <li>
            {from === 'start' ? 'new' : from} → {to}: {messages.join(' ')}
          </li>
        ))}
        <li>
          From input_required a task may also complete or fail. A finished task never changes.
        </li>
        <li>{NOTES[dialect]}</li>
      </ul>
    </section>
  );
}

function Box({ state }: { readonly state: State }) {
  const [x, y] = PLACES[state];
  return (
    <g class="state">
      <rect x={x} y={y} width={WIDTH} height={HEIGHT} rx={8} />
      {isTerminal(state) && (
        <rect x={x + 4} y={y + 4} width={WIDTH - 8} height={HEIGHT - 8} rx={5} />
      )}
      <text x={x + WIDTH / 2} y={y + 30} text-anchor="middle">
        {state}
      </text>
    </g>
  );
}

interface LineProps {
  readonly edge: Edge;
  readonly arrow: string;
}

function Line({ edge: { from, to, messages, at }, arrow }: LineProps) {
  const [x1, y1, x2, y2] = ends(from, to).map(String);
  return (
    <>
      <path class="edge" d={`M${x1} ${y1}L${x2} ${y2}`} marker-end={`url(#${arrow})`} />
      <text class="message">
        {messages.map((text, index) => (
          <tspan x={at[0]} y={at[1] + 16 * index}>
            {text}
          </tspan>
        ))}
      </text>
    </>
  );
}

/** From the edge of one box to the edge of the other; the two lines between the same boxes lie side by side. */
function ends(from: State, to: State): [number, number, number, number] {
  const [[ax, ay], [bx, by]] = [PLACES[from], PLACES[to]];
  if (from === 'start') return [28, ay, bx, by + HEIGHT / 2];
  if (ax === bx) {
    const x = ax + WIDTH / 2 + (ay < by ? -15 : 15);
    return ay < by ? [x, ay + HEIGHT, x, by] : [x, ay, x, by + HEIGHT];
  }
  return [ax + WIDTH, ay + HEIGHT / 2, bx, by + HEIGHT / 2];
}
