/* global document, AbortController */
import { details } from './details.js';
import { confirmed } from './dialog.js';
import { make, paced, printable, updateChildren } from './dom.js';
import { ask, FAULT_PAUSE_MS, isPassing, isRefusal, post } from './wire.js';

const byId = (id) => document.getElementById(id);

const ACTIONS = {
  cancel: {
    title: () => 'Cancel this task?',
    text: 'Its handler is told to stop. What it has done stays done. A cancelled task stays cancelled.',
    yes: 'Yes, cancel it',
    doing: 'Cancelling …',
    done: () => 'The task is cancelled.',
  },
  retry: {
    title: (again) => (again ? 'Retry this task once more?' : 'Retry this task?'),
    text: 'A new task with the same request, for the same owner, starts from the beginning.',
    yes: 'Yes, retry it',
    doing: 'Retrying …',
    done: ({ retriedAs }) => `Retried as ${retriedAs}.`,
  },
};

/** What the page has of a task while it shows it. Another task has a visit of its own. */
function visitOf(id) {
  return {
    ...{ id, withPayloads: false, said: '', isBusy: false, text: undefined, value: undefined },
    gone: new AbortController(),
  };
}

/** The page of one task. */
export function createTask({ onError, onRead }) {
  const article = byId('task');
  let visit = visitOf('');
  let request = new AbortController();

  const reading = paced(async () => {
    const { signal } = request;
    const { id, withPayloads } = visit;
    try {
      const path = `api/tasks/${id}?payloads=${withPayloads ? 1 : 0}`;
      const { text, value } = await ask(path, { signal });
      onRead('task');
      if (signal.aborted || text === visit.text) return undefined;
      Object.assign(visit, { text, value });
      draw();
    } catch (error) {
      if (!signal.aborted) return failed(error);
    }
    return undefined;
  });

  function failed(error) {
    if (error.reason === 'unknown_task' || error.status === 400) {
      onRead('task');
      Object.assign(visit, { text: undefined, value: undefined });
      drawParts([
        make('h2', { id: 'task-title' }, 'No such task'),
        make('p', {}, 'No task has this id. It may have expired.'),
        make('p', {}, make('a', { href: '#' }, 'All tasks')),
      ]);
      return undefined;
    }
    // Payloads alone may be refused.
    if (error.status === 403 && visit.withPayloads) {
      visit.withPayloads = false;
      visit.said = error.message;
      visit.text = undefined;
      reading.askNow();
      return undefined;
    }
    onError(error, 'task');
    if (isPassing(error)) reading.ask();
    return FAULT_PAUSE_MS;
  }

  function draw() {
    if (visit.value === undefined) return;
    drawParts(details(visit.value, visit));
    const box = byId('payloads');
    if (box) box.checked = visit.withPayloads;
  }

  function drawParts(parts) {
    const isInside = article.contains(document.activeElement);
    updateChildren(article, parts);
    // What had the focus may be gone, such as the button of an action that is done.
    const isLost = isInside && !article.contains(document.activeElement);
    if (isLost) (byId('said') ?? byId('main')).focus({ preventScroll: true });
  }

  /** Asks first. What comes of it belongs to the task that was asked about, whatever is shown by then. */
  async function act(name) {
    const asked = visit;
    if (asked.isBusy) return;
    const { title, text, yes, doing, done } = ACTIONS[name];
    const again = asked.value.task.retriedAs !== undefined;
    const question = { opener: name, title: title(again), text, yes };
    if (!(await confirmed(question, asked.gone.signal)) || asked.isBusy) return;
    Object.assign(asked, { isBusy: true, said: doing });
    draw();
    try {
      const body = name === 'retry' ? { again } : {};
      const { value } = await post(`api/tasks/${asked.id}/${name}`, body);
      asked.said = done(value);
    } catch (error) {
      asked.said = why(error);
      if (isRefusal(error)) onError(error);
    }
    asked.isBusy = false;
    if (asked !== visit) return;
    draw();
    read();
  }

  function read() {
    request.abort();
    request = new AbortController();
    reading.askNow();
  }

  article.addEventListener('click', ({ target }) => {
    const name = target.closest('button')?.id;
    if (name in ACTIONS) void act(name);
  });
  article.addEventListener('change', ({ target }) => {
    visit.withPayloads = target.checked;
    read();
  });

  function leave() {
    visit.gone.abort();
    request.abort();
    visit = visitOf('');
  }

  return {
    /** Shows a task. The one that is shown already stays as it is, and is read again. */
    show(id) {
      if (id !== visit.id) {
        leave();
        visit = visitOf(id);
        article.replaceChildren(make('p', { class: 'quiet' }, 'Reading the task …'));
      }
      read();
    },
    leave,
    refresh: () => reading.ask(),
  };
}

/** Without an answer it may have been done or not. */
function why({ status, message }) {
  if (status > 0) return `Not done: ${printable(message)}`;
  return 'It is not known whether this was done, because the board did not answer. The status says it once it does.';
}
