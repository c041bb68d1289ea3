import { html } from '../page/index.js';
import type { Html } from '../page/index.js';
import { many } from './label.js';
import type { Recorder } from './recorder.js';
import type { Row } from './row.js';
import { classOf, totalOf } from './severity.js';
import { bar, picture } from './svg.js';
import type { Moment, Task } from './tasks.js';
import { sayDuration, sayNumber } from './words.js';

const SHOWN = 200;
const WIDTH = 1000;
const HEIGHT = 20;
const STATUSES = ['working', 'input_required', 'completed', 'failed', 'cancelled'] as const;
const LIVE: readonly string[] = ['working', 'input_required'];

/** The tasks as bars over the recording, in the colours of their states. */
export function tasksSection(recorder: Recorder, rows: readonly Row[]): Html {
  const { tasks } = recorder;
  const scale = scaleOf(recorder, rows);
  const rest = tasks.list.length - SHOWN;
  return html`<section id="tasks" aria-labelledby="tasks-title">
    <h2 id="tasks-title">Tasks</h2>
    ${
      tasks.list.length === 0
        ? html`<p class="quiet">No message is about a task.</p>`
        : html`<p class="legend">
              ${STATUSES.map(
                (status) => html`<span class="key status-${status}">${status}</span> `,
              )}
            </p>
            <ul class="tasks">
              ${tasks.list.slice(0, SHOWN).map((task, index) => taskItem(task, index, scale, recorder))}
            </ul>`
    }
    ${
      rest > 0 &&
      html`<p class="quiet">
        ${sayNumber(rest)} more tasks: choose one in the filter of messages.
      </p>`
    }
    ${
      tasks.missed > 0 &&
      html`<p class="quiet">
        ${many(tasks.missed, 'message')} about further tasks: a report follows
        ${sayNumber(tasks.list.length)} tasks.
      </p>`
    }
  </section>`;
}

/** The place of a moment, from 0 to 1. */
type Scale = (moment: Moment) => number;

function scaleOf({ start, end, timed }: Recorder, rows: readonly Row[]): Scale {
  const last = rows.reduce((most, { number }) => Math.max(most, number), 1);
  const isTimed = timed > 0 && end > start;
  return ({ number, ms }) =>
    isTimed ? ((ms ?? start) - start) / (end - start) : (number - 1) / Math.max(1, last - 1);
}

function taskItem(task: Task, index: number, scale: Scale, { shower }: Recorder): Html {
  const { states, taskId, dialect, origin, findings, questions } = task;
  const found = totalOf(findings);
  const status = states.at(-1)?.status ?? 'unknown';
  const what = states.map((state) => state.status).join(', then ') || 'no status is recorded';
  return html`<li>
    <div class="task-name">
      <a href="#task=${index}"><code>${shower.name(taskId)}</code></a>
      <span class="quiet">${origin} ${dialect && html`<span class="badge">${dialect}</span>`}</span>
    </div>
    ${picture('plot task', WIDTH, HEIGHT, `${shower.name(taskId)}: ${what}`, bars(task, scale))}
    <div class="task-end">
      <span class="key status-${knownStatus(status)}">${status}</span>
      <span class="quiet">
        ${sayLength(task)}${questions > 0 && `, ${many(questions, 'question')}`}
      </span>
      ${found > 0 && html`<span class="${classOf(findings)}">${many(found, 'finding')}</span>`}
    </div>
  </li>`;
}

/** One rectangle for each state, and a thin one for messages before the first and after the last. */
function bars({ states, first, last }: Task, scale: Scale): Html[] {
  const [begin, end] = [scale(first) * WIDTH, Math.max(scale(last), scale(first)) * WIDTH];
  const track = bar('track', [0, HEIGHT / 2 - 0.5, WIDTH, 1]);
  const whole = bar('unknown', [begin, HEIGHT / 2 - 2, Math.max(4, end - begin), 4]);
  const parts = states.map((state, index) => {
    const from = scale(state) * WIDTH;
    const next = states[index + 1];
    const isEnd = !LIVE.includes(state.status);
    const to = next ? scale(next) * WIDTH : isEnd ? from : end;
    const name = `status-${knownStatus(state.status)}`;
    const title = `${state.status} from message ${String(state.number)}`;
    return bar(
      name,
      [
        Math.min(from, WIDTH - 6),
        isEnd ? 0 : 3,
        Math.max(6, to - from),
        isEnd ? HEIGHT : HEIGHT - 6,
      ],
      title,
    );
  });
  return [track, whole, ...parts];
}

function knownStatus(status: string): string {
  return STATUSES.find((each) => each === status) ?? 'unknown';
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
