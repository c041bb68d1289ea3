/* global document, location, performance, setTimeout, URLSearchParams, AbortController */
import { make, paced, say, seen, STATUSES, statusName, updateChildren } from './dom.js';
import { createRows } from './rows.js';
import { ask, FAULT_PAUSE_MS, isPassing } from './wire.js';

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
  const drawRows = createRows();
  let query = {};
  let shown;
  let counts;
  let loading = new AbortController();

  async function part(narrower, signal) {
    const began = performance.now();
    const parameters = new URLSearchParams({ ...query, ...narrower }).toString();
    const { value } = await ask(`api/tasks?${parameters}`, { signal });
    return { ...value, took: performance.now() - began };
  }

  /** Tasks of older parts as they are now; without those that the search no longer finds. */
  async function again(tasks, signal) {
    const found = [];
    for (const { id } of tasks) found.push(...(await part({ id }, signal)).tasks);
    return found;
  }

  /** Reads the newest part, and older ones until the page is full. Resolves with the pause that the store needs. */
  async function load() {
    const { signal } = loading;
    try {
      const began = performance.now();
      const first = await part({}, signal);
      onRead('list');
      let found = joined(first, shown);
      draw(found);
      const older = await again(found.tasks.slice(first.tasks.length), signal);
      found = { tasks: [...first.tasks, ...older], next: found.next };
      draw(found);
      const took = performance.now() - began;
      while (found.next !== undefined && found.tasks.length < ROWS) {
        const more = await part({ before: found.next }, signal);
        const tasks = [...found.tasks, ...more.tasks];
        found = { tasks, next: more.next };
        draw(found);
        await new Promise((resolve) => setTimeout(resolve, more.took));
        await seen();
        if (signal.aborted) return undefined;
      }
      return Math.max(500, 10 * took);
    } catch (error) {
      return signal.aborted ? undefined : failed(error, 'list', listing);
    }
  }

  /** Without another change nothing else would read it again. */
  function failed(error, source, reading) {
    onError(error, source);
    if (isPassing(error)) reading.ask();
    return FAULT_PAUSE_MS;
  }

  function draw(found) {
    const { tasks, next } = found;
    const hasChanged = JSON.stringify(found.tasks) !== JSON.stringify(shown?.tasks);
    shown = found;
    byId('older').hidden = next === undefined;
    byId('older').href = placeOf({ ...query, before: next });
    say(byId('found'), sentence(tasks.length, next));
    byId('tasks').removeAttribute('aria-busy');
    if (!hasChanged) return;
    drawRows(tasks);
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

  const listing = paced(load);
  const counting = paced(async () => {
    try {
      const { value } = await ask('api/counts');
      onRead('counts');
      counts = value.counts;
      drawStatuses();
      return value.nextMs;
    } catch (error) {
      return failed(error, 'counts', counting);
    }
  });

  /** The statuses, with the counts of all tasks where no other part of the search narrows them. */
  function drawStatuses() {
    const isNarrow = Object.keys(FIELDS).some((name) => query[name]);
    const all = counts && { ...counts, '': STATUSES.reduce((sum, each) => sum + counts[each], 0) };
    const links = ['', ...STATUSES].map((status) =>
      make(
        'a',
        {
          href: placeOf({ ...query, before: undefined, status }),
          'data-status': status,
          class: status,
          'aria-current': (query.status ?? '') === status ? 'true' : undefined,
        },
        status === '' ? 'All' : statusName(status),
        ' ',
        make('span', { class: 'count' }, isNarrow || !all ? '' : all[status].toLocaleString('en')),
      ),
    );
    updateChildren(byId('statuses'), links);
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
      // What is shown is of another search.
      say(byId('found'), 'Searching …');
      byId('tasks').setAttribute('aria-busy', 'true');
      byId('older').hidden = true;
      listing.askNow();
      if (counts === undefined) counting.askNow();
      else counting.ask();
    },
    leave: () => loading.abort(),
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
