import { classOf, totalOf } from '../findings/index.js';
import type { Moment, Recorder, Task } from '../findings/index.js';
import { many, sayDuration, sayNumber } from '../toolkit/index.js';
import { STATUSES, statusClass } from './said.js';
import { Bar, Picture } from './svg.js';

const SHOWN = 200;
const WIDTH = 1000;
const HEIGHT = 20;
const LIVE = ['working', 'input_required'];

/** The tasks as bars over the recording, in the colours of their states. */
export function TaskList({ recorder }: { readonly recorder: Recorder }) {
  const { list, missed } = recorder.tasks;
  const scale = scaleOf(recorder);
  return (
    <section id="tasks" aria-labelledby="tasks-title">
      <h2 id="tasks-title">Tasks</h2>
      {list.length === 0 ? (
        <p class="quiet">No message is about a task.</p>
      ) : (
        <>
          <p class="legend">
            {STATUSES.map((status) => (
              <span class={`key status-${status}`}>{status}</span>
            ))}
          </p>
          <ul class="tasks">
            {list.slice(0, SHOWN).map((task, index) => (
              <Item {...{ task, index, scale }} name={recorder.shower.name(task.taskId)} />
            ))}
          </ul>
        </>
      )}
      {list.length > SHOWN && (
        <p class="quiet">
          {sayNumber(list.length - SHOWN)} more tasks: choose one in the filter of messages.
        </p>
      )}
      {missed > 0 && (
        <p class="quiet">
          {many(missed, 'message')} about other tasks: a report follows {sayNumber(list.length)}{' '}
          tasks.
        </p>
      )}
    </section>
  );
}

/** The place of a moment, from 0 to 1. */
type Scale = (moment: Moment) => number;

function scaleOf({ start, end, timed, sample }: Recorder): Scale {
  const last = sample.rows.reduce((most, { number }) => Math.max(most, number), 1);
  const isTimed = timed > 0 && end > start;
  return ({ number, ms }) =>
    isTimed ? ((ms ?? start) - start) / (end - start) : (number - 1) / Math.max(1, last - 1);
}

interface ItemProps {
  readonly task: Task;
  readonly name: string;
  readonly index: number;
  readonly scale: Scale;
}

function Item({ task, name, index, scale }: ItemProps) {
  const { states, dialect, origin, findings, questions } = task;
  const found = totalOf(findings);
  const status = states.at(-1)?.status ?? 'unknown';
  const what = states.map((state) => state.status).join(', then ') || 'no status is recorded';
  return (
    <li>
      <div class="task-name">
        <a href={`#task=${String(index)}`}>
          <code>{name}</code>
        </a>
        <span class="quiet">
          {origin} {dialect && <span class="badge">{dialect}</span>}
        </span>
      </div>
      <Picture kind="plot task" size={[WIDTH, HEIGHT]} label={`${name}: ${what}`}>
        <Bars task={task} scale={scale} />
      </Picture>
      <div class="task-end">
        <span class={`key ${statusClass(status)}`}>{status}</span>
        <span class="quiet">
          {sayLength(task)}
          {questions > 0 && `, ${many(questions, 'question')}`}
        </span>
        {found > 0 && <span class={classOf(findings)}>{many(found, 'finding')}</span>}
      </div>
    </li>
  );
}

/** One rectangle for each state, and a thin one for messages before the first and after the last. */
function Bars({ task: { states, first, last }, scale }: Pick<ItemProps, 'task' | 'scale'>) {
  const begin = scale(first) * WIDTH;
  const end = Math.max(begin, scale(last) * WIDTH);
  return (
    <>
      <Bar kind="track" at={[0, HEIGHT / 2 - 0.5, WIDTH, 1]} />
      <Bar kind="unknown" at={[begin, HEIGHT / 2 - 2, Math.max(4, end - begin), 4]} />
      {states.map((state, index) => {
        const from = scale(state) * WIDTH;
        const next = states[index + 1];
        const isLive = LIVE.includes(state.status);
        const to = next ? scale(next) * WIDTH : isLive ? end : from;
        const x = Math.min(from, WIDTH - 6);
        const width = Math.max(6, to - from);
        return (
          <Bar
            kind={statusClass(state.status)}
            at={isLive ? [x, 3, width, HEIGHT - 6] : [x, 0, width, HEIGHT]}
            title={`${state.status} from message ${String(state.number)}`}
          />
        );
      })}
    </>
  );
}

/** How long it lived, by the recording, else by its own times. */
function sayLength({ states, first, last, created, updated, messages }: Task): string {
  const end = states.at(-1) ?? last;
  const count = many(messages, 'message');
  if (first.ms !== undefined && end.ms !== undefined) {
    return `${sayDuration(Math.max(0, end.ms - first.ms))}, ${count}`;
  }
  const own = Date.parse(updated ?? '') - Date.parse(created ?? '');
  return own >= 0 ? `${sayDuration(own)} by its own times, ${count}` : count;
}
