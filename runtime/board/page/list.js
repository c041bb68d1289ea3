/* global document, location, performance, setTimeout, URLSearchParams, AbortController */
import { badge, make, paced, printable, say, STATUSES, statusName, time } from './dom.js';
import { ask } from './wire.js';

/** Rows of a page; a search that has found fewer goes on. */
const ROWS = 50;
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
export function createList({ onError, onRead }) {
  const body = document.querySelector('#tasks tbody');
  const rows = new Map();
  let query = {};
  let shown;
  let counts;
  let loading = new AbortController();

  async function partFrom(before, signal) {
    const began = performance.now();
    const parameters = new URLSearchParams({ ...query, ...(before && { before }) }).toString();
    const { value } = await ask(`api/tasks?${parameters}`, { signal });
    return { ...value, took: performance.now() - began };
  }

  /** Reads the newest part, and older ones until the page is full. Resolves with the pause that the store needs. */
  async function load() {
    const { signal } = loading;
    try {
      const first = await partFrom(query.before, signal);
      onRead();
      let found = joined(first, shown);
      draw(found);
      while (found.next !== undefined && found.tasks.length < ROWS) {
        const more = await partFrom(found.next, signal);
        const tasks = [...found.tasks, ...more.tasks];
        found = { tasks, next: more.next };
        draw(found);
        await new Promise((resolve) => setTimeout(resolve, more.took));
        if (signal.aborted) return undefined;
      }
      return Math.max(500, 10 * first.took);
    } catch (error) {
      if (!signal.aborted) onError(error);
      return undefined;
    }
  }

  function draw(found) {
    const { tasks, next } = found;
    const hasChanged = JSON.stringify(found.tasks) !== JSON.stringify(shown?.tasks);
    shown = found;
    byId('older').hidden = next === undefined;
    byId('older').href = placeOf({ ...query, before: next });
    say(byId('found'), sentence(tasks.length, next));
    if (!hasChanged) return;
    const focused = document.activeElement;
    const current = tasks.map((task) => rowOf(rows.get(task.id), task));
    rows.clear();
    for (const [index, task] of tasks.entries()) rows.set(task.id, current[index]);
    body.replaceChildren(...current.map(({ row }) => row));
    if (body.contains(focused)) focused.focus({ preventScroll: true });
    byId('tasks').hidden = tasks.length === 0;
    byId('newest').hidden = query.before === undefined;
  }

  function sentence(count, next) {
    const tasks = count === 1 ? '1 task' : `${count || 'No'} tasks`;
    if (next !== undefined && count < ROWS) {
      return `${tasks} so far; searching older ones.`;
    }
    return `${tasks}${query.before === undefined ? '' : ' on this page'}.`;
  }

  const counting = paced(async () => {
    try {
      const { value } = await ask('api/counts');
      counts = value.counts;
      drawCounts();
      return value.nextMs;
    } catch (error) {
      onError(error);
      return 5_000;
    }
  });
  const listing = paced(load);

  function drawCounts() {
    // They are those of all tasks.
    const isNarrow = Object.keys(FIELDS).some((name) => query[name]);
    const total = STATUSES.reduce((sum, status) => sum + counts[status], 0);
    for (const link of byId('statuses').querySelectorAll('a')) {
      const { status } = link.dataset;
      const count = status === '' ? total : counts[status];
      say(link.querySelector('.count'), isNarrow ? '' : count.toLocaleString('en'));
    }
  }

  function drawStatuses() {
    const others = { ...query, before: undefined };
    const links = ['', ...STATUSES].map((status) => {
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
        make('span', { class: 'count' }),
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
      shown = undefined;
      loading.abort();
      loading = new AbortController();
      for (const [name, id] of Object.entries(FIELDS)) byId(id).value = query[name] ?? '';
      byId('newest').href = placeOf({ ...query, before: undefined });
      drawStatuses();
      listing.askNow();
      if (counts !== undefined) drawCounts();
      counting.ask();
    },
    refresh() {
      listing.ask();
      counting.ask();
    },
  };
}

/** The newest part, and what older parts had. Ids sort by creation, so the parts do not overlap. */
function joined({ took: _, ...first }, known) {
  if (known === undefined || first.next === undefined || first.tasks.length >= ROWS) return first;
  const tasks = [...first.tasks, ...known.tasks.filter(({ id }) => id < first.next)];
  return tasks.length > 2 * ROWS ? first : { tasks, next: known.next };
}

/** At most four lines; the page of the task has the whole text. */
const clamped = (text) =>
  text === '' ? undefined : make('span', { class: 'text' }, printable(text));

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
