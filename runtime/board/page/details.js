/** The parts of a task's page. */
import { badge, duration, make, printable, time } from './dom.js';

/** All of it. `said` is about the last action; `isBusy` while there is no answer to it. */
export function details({ task, payloads }, { withPayloads, said, isBusy }) {
  // A part that comes and goes has a place of its own, so that the others stay the nodes that they are.
  return [
    make('p', { class: 'back' }, make('a', { href: '#' }, 'All tasks')),
    make('h2', { id: 'task-title' }, make('code', {}, task.id), ' ', badge(task.status)),
    make('div', {}, ...heading(task)),
    actions(task, said, isBusy),
    section('Facts', facts(task)),
    section('History', history(task)),
    make('div', {}, task.input.length > 0 && section('Questions', questions(task.input))),
    make('div', {}, task.steps.length > 0 && section('Steps', steps(task.steps))),
    section('Arguments and result', payloads && toggle(withPayloads), texts(task)),
  ];
}

function actions({ mayCancel, mayRetry, retriedAs }, said, isBusy) {
  // Disabled ones would lose the focus.
  const button = (id, text) =>
    make('button', { type: 'button', id, class: id, 'aria-disabled': isBusy && 'true' }, text);
  return make(
    'div',
    { class: 'actions' },
    make(
      'div',
      {},
      mayCancel && button('cancel', 'Cancel the task'),
      mayRetry && button('retry', retriedAs === undefined ? 'Retry' : 'Retry again'),
    ),
    make('p', { id: 'said', role: 'status', tabindex: '-1' }, said),
  );
}

function toggle(checked) {
  return make(
    'p',
    { class: 'toggle' },
    make('input', { type: 'checkbox', id: 'payloads', checked }),
    make(
      'label',
      { for: 'payloads' },
      'Show arguments, questions, answers and results, which may hold secrets',
    ),
  );
}

function section(title, ...content) {
  return make('section', {}, make('h3', {}, title), ...content);
}

function heading({ status, protocolStatus, statusMessage, progress, input }) {
  const waiting = input.filter(({ answered, withdrawn }) => !answered && !withdrawn).length;
  const questions = waiting === 1 ? 'one question' : `${waiting} questions`;
  return [
    status === 'input_required' &&
      make('p', { class: 'waiting' }, `It waits for an answer of its user to ${questions}.`),
    protocolStatus === 'completed' &&
      make('p', {}, 'Its tool returned an error. For its client the task is completed.'),
    progress &&
      make('progress', { max: progress.total, value: progress.progress, 'aria-label': 'Progress' }),
    statusMessage !== undefined && make('p', { class: 'message' }, printable(statusMessage, '\n')),
  ].filter(Boolean);
}

function facts(task) {
  const link = (id) => make('a', { href: `#task=${id}` }, make('code', {}, id));
  const code = (text) => make('code', {}, printable(text));
  const rows = [
    ['Tool', task.tool && code(task.tool)],
    ['Method', code(task.method)],
    ['User', task.caller && code(task.caller.subject)],
    ['Issuer', task.caller && code(task.caller.issuer)],
    ['Client', task.caller && code(task.caller.client)],
    ['Scopes', task.caller && code(task.caller.scopes.join(' '))],
    ['Owner', code(task.owner)],
    ['Dialect', task.dialect],
    ['Attempt', task.attempt],
    ['Worker', task.worker && code(task.worker)],
    ['Created', time(task.createdAt)],
    ['Changed', time(task.updatedAt)],
    ['Expires', time(task.expiresAt)],
    ...durations(task),
    ['Trace', task.traceId && code(task.traceId)],
    ['Retry of', task.retryOf && link(task.retryOf)],
    ['Retried as', task.retriedAs && link(task.retriedAs)],
  ];
  return make(
    'dl',
    {},
    ...rows
      .filter(([, value]) => value !== undefined && value !== '')
      .map(([name, value]) => make('div', {}, make('dt', {}, name), make('dd', {}, value))),
  );
}

/** Of a task that has ended. The running time includes pauses and the time that it waited for answers. */
function durations({ createdAt, queued, queuedUntil, updatedAt, mayCancel: isLive }) {
  const between = (from, to) => duration(Math.max(0, Date.parse(to) - Date.parse(from)));
  const wasQueued = queuedUntil && between(createdAt, queuedUntil);
  if (isLive) return [['Queued', queued ? 'Waits for a slot' : wasQueued]];
  return [
    ['Queued', wasQueued ?? '0 ms'],
    ['Running', between(queuedUntil ?? createdAt, updatedAt)],
    ['Total', between(createdAt, updatedAt)],
  ];
}

function history({ history: entries }) {
  return make(
    'ol',
    { class: 'history' },
    ...entries.map(({ status, attempt, at }, index) => {
      const next = entries[index + 1];
      const lasted = next && duration(Date.parse(next.at) - Date.parse(at));
      const again = attempt > (entries[index - 1]?.attempt ?? 1) && ` (attempt ${attempt})`;
      return make(
        'li',
        {},
        time(at),
        ' ',
        badge(status),
        again,
        lasted && make('span', { class: 'quiet' }, ` for ${lasted}`),
      );
    }),
  );
}

function steps(entries) {
  const state = ({ finished, until, at }) => {
    if (until !== undefined) return ['Pause until ', time(until)];
    if (!finished) return ['Started'];
    return at === undefined ? ['Finished'] : ['Finished ', time(at)];
  };
  return make(
    'ol',
    { class: 'steps' },
    ...entries.map((step) =>
      make(
        'li',
        {},
        make('code', {}, printable(step.name)),
        ' ',
        ...state(step),
        step.attempt > 1 && ` in attempt ${step.attempt}`,
        payload('Result', step),
      ),
    ),
  );
}

function questions(entries) {
  const state = ({ answered, withdrawn }) =>
    withdrawn ? 'withdrawn' : answered ? 'answered' : 'waits for an answer';
  return make(
    'ol',
    { class: 'questions' },
    ...entries.map((entry) =>
      make(
        'li',
        { class: state(entry) === 'waits for an answer' && 'waiting' },
        make('code', {}, printable(entry.method)),
        ` ${state(entry)} `,
        make('span', { class: 'quiet' }, printable(entry.key)),
        payload('Question', entry.params),
        payload('Answer', entry.answer),
      ),
    ),
  );
}

function texts({ request, outcome, status }) {
  const hasNone = status === 'cancelled' ? 'A cancelled task has no result.' : 'No result yet.';
  return make(
    'div',
    {},
    payload('Arguments', request),
    outcome ? payload('Result or error', outcome) : make('p', { class: 'quiet' }, hasNone),
  );
}

/** Its size, and its text when the page was asked to show it. */
function payload(name, { bytes, text, isCut } = {}) {
  if (bytes === undefined) return undefined;
  const size = `${bytes.toLocaleString('en')} ${bytes === 1 ? 'byte' : 'bytes'}`;
  const title = `${name}: ${size}${isCut ? ', cut here' : ''}`;
  if (text === undefined) return make('p', { class: 'quiet' }, title);
  return make(
    'figure',
    {},
    make('figcaption', {}, title),
    make('pre', { tabindex: '0', 'aria-label': name, role: 'region' }, printable(text, '\n')),
  );
}
