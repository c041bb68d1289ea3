/* global document, location, URLSearchParams, AbortController */
import { badge, make, paced, printable, say, STATUSES, statusName, time } from './dom.js';
import { ask } from './wire.js';

const FIELDS = { id: 'by-id', tool: 'by-tool', owner: 'by-owner' };
const byId = (id) => document.getElementById(id);

/** The fragment of a list. Without `before` it begins with the newest task. */
export function placeOf(query) {
  const text = new URLSearchParams(
    Object.entries(query).filter(([, value]) => value !== undefined && value !== ''),
  ).toString();
  return `#${text}`;
}

/** The list of tasks, its search and its counts. */
export function createList(onError) {
  const body = document.querySelector('#tasks tbody');
  const rows = new Map();
  let query = {};
  let shown = '';
  let loading = new AbortController();

  async function load() {
    const { signal } = loading;
    try {
      const parameters = new URLSearchParams(query).toString();
      const { text, value } = await ask(`api/tasks?${parameters}`, { signal });
      if (signal.aborted || text === shown) return;
      shown = text;
      draw(value);
    } catch (error) {
      if (!signal.aborted) onError(error);
    }
  }

  function draw({ tasks, next, looked }) {
    const focused = document.activeElement;
    const current = tasks.map((task) => rowOf(rows.get(task.id), task));
    rows.clear();
    for (const [index, task] of tasks.entries()) rows.set(task.id, current[index]);
    body.replaceChildren(...current.map(({ row }) => row));
    if (body.contains(focused)) focused.focus({ preventScroll: true });
    byId('tasks').hidden = tasks.length === 0;
    byId('newest').hidden = query.before === undefined;
    byId('older').hidden = next === undefined;
    byId('older').href = placeOf({ ...query, before: next });
    say(byId('found'), sentence(tasks.length, next, looked));
  }

  function sentence(count, next, looked) {
    const tasks = count === 1 ? '1 task' : `${count || 'No'} tasks`;
    const isPart = next !== undefined && looked > count + 1;
    const part = isPart ? ` among ${looked.toLocaleString('en')}; “Older” searches on` : '';
    return `${tasks}${query.before === undefined ? '' : ' on this page'}${part}.`;
  }

  const counting = paced(async () => {
    try {
      const { value } = await ask('api/counts');
      drawCounts(value.counts);
      return value.nextMs;
    } catch (error) {
      onError(error);
      return 5_000;
    }
  });
  const listing = paced(load);

  function drawCounts(counts) {
    const total = STATUSES.reduce((sum, status) => sum + counts[status], 0);
    for (const link of byId('statuses').querySelectorAll('a')) {
      const { status } = link.dataset;
      const count = status === '' ? total : counts[status];
      say(link.querySelector('.count'), count.toLocaleString('en'));
    }
  }

  function drawStatuses() {
    const others = { ...query, before: undefined };
    const links = ['', ...STATUSES].map((status) => {
      const old = byId('statuses').querySelector(`[data-status="${status}"] .count`);
      return make(
        'a',
        {
          href: placeOf({ ...others, status }),
          'data-status': status,
          class: status,
          'aria-current': (query.status ?? '') === status ? 'true' : undefined,
        },
        status === '' ? 'All' : statusName(status),
        ' ',
        make('span', { class: 'count' }, old?.textContent ?? ''),
      );
    });
    const focused = document.activeElement?.dataset.status;
    byId('statuses').replaceChildren(...links);
    if (focused !== undefined) links.find((link) => link.dataset.status === focused)?.focus();
  }

  byId('filter').addEventListener('submit', (event) => {
    event.preventDefault();
    const fields = Object.entries(FIELDS).map(([name, id]) => [name, byId(id).value.trim()]);
    location.hash = placeOf({ status: query.status, ...Object.fromEntries(fields) });
  });
  byId('clear').addEventListener('click', () => {
    location.hash = '#';
    byId('by-id').focus();
  });

  return {
    /** Shows another search, or another page of one. */
    show(next) {
      query = next;
      shown = '';
      loading.abort();
      loading = new AbortController();
      for (const [name, id] of Object.entries(FIELDS)) byId(id).value = query[name] ?? '';
      byId('newest').href = placeOf({ ...query, before: undefined });
      drawStatuses();
      listing.askNow();
      counting.ask();
    },
    refresh() {
      listing.ask();
      counting.ask();
    },
  };
}

/** At most four lines; the page of the task has the whole text. */
const clamped = (text) => make('span', { class: 'text' }, printable(text));

/** The row as it was if nothing changed. Otherwise a row with the same link, which may have the focus. */
function rowOf(old, task) {
  const text = JSON.stringify(task);
  if (old?.text === text) return old;
  const link = old?.link ?? make('a', { href: `#task=${task.id}` }, make('code', {}, task.id));
  const { statusMessage = '', progress } = task;
  const bar =
    progress &&
    make('progress', { max: progress.total, value: progress.progress, 'aria-label': 'Progress' });
  const cells = [
    ['Id', link],
    ['Status', badge(task.status)],
    ['Tool', clamped(task.tool ?? task.method)],
    ['Message', bar, clamped(statusMessage)],
    ['Created', time(task.createdAt)],
    ['Changed', time(task.updatedAt)],
    ['Owner', clamped(task.owner)],
  ].map(([name, ...content]) =>
    make(
      name === 'Id' ? 'th' : 'td',
      { 'data-name': name, scope: name === 'Id' && 'row' },
      content,
    ),
  );
  const row = old?.row ?? make('tr');
  row.replaceChildren(...cells);
  return { text, link, row };
}
