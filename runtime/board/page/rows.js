/* global document */
import { badge, duration, make, printable, time, updateChildren } from './dom.js';

/** The rows of the list. One that stays is the same element, with the focus and a click that has begun. */
export function createRows() {
  const body = document.querySelector('#tasks tbody');
  const rows = new Map();

  /** The row as it was if nothing changed. */
  function rowOf(task) {
    const text = JSON.stringify(task);
    const old = rows.get(task.id);
    if (old?.text === text) return old;
    const row = old?.row ?? make('tr');
    updateChildren(row, cellsOf(task));
    return { text, row };
  }

  return (tasks) => {
    const current = new Map(tasks.map((task) => [task.id, rowOf(task)]));
    for (const [id, { row }] of rows) if (!current.has(id)) row.remove();
    for (const [index, { row }] of [...current.values()].entries()) {
      const place = body.children[index];
      if (place !== row) body.insertBefore(row, place ?? null);
    }
    rows.clear();
    for (const [id, row] of current) rows.set(id, row);
  };
}

/** At most four lines; the page of the task has the whole text. */
const clamped = (text) =>
  text === '' ? undefined : make('span', { class: 'text' }, printable(text));

const LIVE = ['working', 'input_required'];

/** From the creation to the end. */
function took({ status, createdAt, updatedAt }) {
  if (LIVE.includes(status)) return undefined;
  return duration(Math.max(0, Date.parse(updatedAt) - Date.parse(createdAt)));
}

function cellsOf(task) {
  const { statusMessage = '', progress } = task;
  const bar =
    progress &&
    make('progress', { max: progress.total, value: progress.progress, 'aria-label': 'Progress' });
  return [
    ['Id', make('a', { href: `#task=${task.id}` }, make('code', {}, task.id))],
    ['Status', badge(task.status)],
    ['Tool', clamped(task.tool ?? task.method)],
    ['Message', (bar || statusMessage !== '') && make('div', {}, bar, clamped(statusMessage))],
    ['Created', time(task.createdAt)],
    ['Changed', time(task.updatedAt)],
    ['Took', took(task)],
    ['Owner', clamped(task.owner)],
  ].map(([name, ...content]) =>
    make(
      name === 'Id' ? 'th' : 'td',
      { 'data-name': name, scope: name === 'Id' && 'row' },
      content,
    ),
  );
}
