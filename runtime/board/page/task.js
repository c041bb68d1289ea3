/* global document, AbortController */
import { badge, duration, make, paced, printable, say, time } from './dom.js';
import { ask, post } from './wire.js';

const byId = (id) => document.getElementById(id);

/** The page of one task. */
export function createTask({ onError, onRead }) {
  const article = byId('task');
  let id = '';
  let shown = '';
  let withPayloads = false;
  let loading = new AbortController();
  let said = '';

  const reading = paced(async () => {
    const { signal } = loading;
    try {
      const { text, value } = await ask(`api/tasks/${id}?payloads=${withPayloads ? 1 : 0}`, {
        signal,
      });
      onRead();
      if (signal.aborted || text === shown) return;
      shown = text;
      draw(value);
    } catch (error) {
      if (signal.aborted) return;
      if (error.status !== 404 && error.status !== 400) onError(error);
      else {
        shown = '';
        article.replaceChildren(
          make('h2', { id: 'task-title' }, 'No such task'),
          make('p', {}, 'No task has this id. It may have expired.'),
          make('p', {}, make('a', { href: '#' }, 'All tasks')),
        );
      }
    }
  });

  function draw({ task, payloads }) {
    const isInside = article.contains(document.activeElement);
    const focused = document.activeElement?.id;
    const parts = [
      make('p', { class: 'back' }, make('a', { href: '#' }, 'All tasks')),
      make('h2', { id: 'task-title' }, make('code', {}, task.id), ' ', badge(task.status)),
      ...heading(task),
      actions(task),
      section('Facts', facts(task)),
      section('History', history(task)),
      task.input.length > 0 && section('Questions', questions(task.input)),
      task.steps.length > 0 && section('Steps', steps(task.steps)),
      section('Arguments and result', payloads && toggle(), texts(task)),
    ];
    article.replaceChildren(...parts.filter(Boolean));
    // A button that had the focus may be gone, because its action is done.
    if (isInside) (byId(focused) ?? byId('said')).focus({ preventScroll: true });
  }

  function actions({ mayCancel, mayRetry, retriedAs }) {
    const retry = retriedAs === undefined ? 'Retry' : 'Retry again';
    return make(
      'div',
      { class: 'actions' },
      mayCancel && button('cancel', 'Cancel the task', cancel),
      mayRetry && button('retry', retry, () => repeat(retriedAs !== undefined)),
      make('p', { id: 'said', role: 'status', tabindex: '-1' }, said),
    );
  }

  async function cancel() {
    const isSure = await confirmed(
      'cancel',
      'Cancel this task?',
      'Its handler is told to stop. What it has done stays done. A cancelled task stays cancelled.',
      'Yes, cancel it',
    );
    if (isSure) await act('cancel', {}, () => 'The task is cancelled.');
  }

  async function repeat(again) {
    const isSure = await confirmed(
      'retry',
      again ? 'Retry this task once more?' : 'Retry this task?',
      'A new task with the same request, for the same owner, starts from the beginning.',
      'Yes, retry it',
    );
    if (isSure) await act('retry', { again }, ({ retriedAs }) => `Retried as ${retriedAs}.`);
  }

  async function act(name, body, sentence) {
    try {
      const { value } = await post(`api/tasks/${id}/${name}`, body);
      said = sentence(value);
    } catch (error) {
      said = `Not done: ${printable(error.message)}`;
    }
    shown = '';
    const line = byId('said');
    if (line) say(line, said);
    reading.askNow();
  }

  function toggle() {
    const box = make('input', { type: 'checkbox', id: 'payloads', checked: withPayloads });
    box.addEventListener('change', () => {
      withPayloads = box.checked;
      reading.askNow();
    });
    return make(
      'p',
      { class: 'toggle' },
      box,
      make(
        'label',
        { for: 'payloads' },
        'Show arguments, questions, answers and results, which may hold secrets',
      ),
    );
  }

  return {
    show(next) {
      id = next;
      shown = '';
      said = '';
      withPayloads = false;
      loading.abort();
      loading = new AbortController();
      article.replaceChildren();
      reading.askNow();
    },
    refresh: () => reading.ask(),
  };
}

function button(id, text, onClick) {
  const element = make('button', { type: 'button', id, class: id }, text);
  element.addEventListener('click', onClick);
  return element;
}

let asked = Promise.resolve();

/** Resolves with whether the person agreed. A dialog's event comes late, so the next question waits for it. */
function confirmed(...question) {
  asked = asked.then(() => confirm(...question));
  return asked;
}

/** The focus goes back to the button, which may be a new one. */
function confirm(opener, title, text, yes) {
  const dialog = byId('confirm');
  say(byId('confirm-title'), title);
  say(byId('confirm-text'), text);
  say(byId('confirm-yes'), yes);
  dialog.returnValue = '';
  dialog.showModal();
  return new Promise((resolve) => {
    const close = () => {
      byId(opener)?.focus();
      resolve(dialog.returnValue === 'yes');
    };
    dialog.addEventListener('close', close, { once: true });
  });
}

function section(title, ...content) {
  return make('section', {}, make('h3', {}, title), ...content);
}

function heading({ status, statusMessage, progress, input, mayRetry }) {
  const waiting = input.filter(({ answered, withdrawn }) => !answered && !withdrawn).length;
  const questions = waiting === 1 ? 'one question' : `${waiting} questions`;
  return [
    status === 'input_required' &&
      make('p', { class: 'waiting' }, `It waits for an answer of its user to ${questions}.`),
    mayRetry && status === 'completed' && make('p', {}, 'Its tool returned an error.'),
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
    ['Owner', code(task.owner)],
    ['Dialect', task.dialect],
    ['Attempt', task.attempt],
    ['Worker', task.worker && code(task.worker)],
    ['Created', time(task.createdAt)],
    ['Changed', time(task.updatedAt)],
    ['Expires', time(task.expiresAt)],
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
