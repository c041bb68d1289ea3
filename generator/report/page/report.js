/* global document, location, history, addEventListener, setTimeout, clearTimeout, URL */
import {
  columns,
  count,
  data,
  findingsOf,
  mateOf,
  methodOf,
  rowOfNumber,
  senderOf,
} from './data.js';
import { make, nameOf, showDetail, withCode } from './detail.js';
import { FILTERS, readHash, rowsFor, writeHash } from './filters.js';
import { List } from './list.js';
import { many, sayOffset } from './words.js';

/** The most messages that are printed on paper. */
const PRINTED = 1000;
const WAIT = 150;

const byId = (id) => document.getElementById(id);
const controls = Object.fromEntries(FILTERS.map((name) => [name, byId(name)]));
const panel = byId('detail');
const found = byId('found');

const list = new List(byId('list'), (row) => {
  showDetail(panel, row);
  rewriteLater();
});

/** Runs once, when nobody has called it for a while. */
const later = (run) => {
  let timer;
  return () => {
    clearTimeout(timer);
    timer = setTimeout(run, WAIT);
  };
};

const filtersNow = () =>
  Object.fromEntries(FILTERS.map((name) => [name, controls[name]?.value.trim() ?? '']));

const rewrite = () => {
  const number = list.selected === undefined ? undefined : columns.number[list.selected];
  history.replaceState(null, '', writeHash(filtersNow(), number));
};

const apply = () => {
  list.show(rowsFor(filtersNow()));
  const shown = list.rows.length;
  found.textContent =
    shown === count
      ? many(count, 'message')
      : `${shown.toLocaleString('en')} of ${many(count, 'message')}`;
};

const refresh = () => {
  apply();
  rewrite();
};

const rewriteLater = later(rewrite);
const refreshLater = later(refresh);

/** Follows a link to a message, a task or a search. Links to sections are the browser's. */
const follow = (hash) => {
  const wanted = readHash(hash);
  if (!wanted) return;
  const row = rowOfNumber(Number(wanted.message));
  const names = FILTERS.filter((name) => wanted[name] !== undefined);
  const isHidden = row !== undefined && !list.rows.includes(row);
  if (names.length > 0 || isHidden) {
    for (const name of FILTERS) if (controls[name]) controls[name].value = wanted[name] ?? '';
    apply();
  }
  if (row !== undefined) list.select(row);
  else if (wanted.message) found.textContent = 'This message is not in the report.';
  byId('messages').scrollIntoView();
};

const option = (value, text) => {
  const element = make('option', '', text);
  element.value = value;
  return element;
};

const fill = (name, options) =>
  controls[name]?.append(...options.map(([value, text]) => option(value, text)));

const fillChoices = () => {
  fill(
    'method',
    data.methods
      .filter(Boolean)
      .sort()
      .map((name) => [name, name]),
  );
  const codes = [...new Set(data.findings.map(([, , code]) => code))].sort();
  const severities = ['error', 'unclear', 'warning'];
  fill('finding', [['any', 'with a finding'], ...severities.map((name) => [name, name])]);
  fill(
    'finding',
    codes.map((code) => [code, code]),
  );
  fill('side', [
    ['c', 'client'],
    ['s', 'server'],
  ]);
  for (const [name, texts] of [
    ['task', data.tasks],
    ['file', data.files],
    ['session', data.sessions],
  ]) {
    fill(
      name,
      texts.map((text, index) => [String(index), text]),
    );
  }
};

const clear = () => {
  for (const name of FILTERS) if (controls[name]) controls[name].value = '';
  refresh();
};

const sayNames = () => {
  for (const side of ['client', 'server']) {
    const name = data.parties.map((each) => each[side]).find(Boolean);
    if (name) byId(side).append(' ', make('small', '', name));
  }
};

const onKey = (event) => {
  if (event.ctrlKey || event.metaKey || event.altKey) return;
  const typing = event.target.closest('input, select');
  if (event.key === '/' && !typing) {
    event.preventDefault();
    controls.search.focus();
  } else if (event.key === 'Escape' && event.target === controls.search) {
    clear();
  } else if (event.key === 'Escape' && panel.contains(event.target)) {
    list.element.focus();
  }
};

/** Keys of the list alone, so that they do not act while something else is used. */
const onListKey = (event) => {
  if (event.ctrlKey || event.metaKey || event.altKey) return;
  if (event.key === 'Enter') {
    panel.focus();
    panel.scrollIntoView({ block: 'nearest' });
    return;
  }
  const row = {
    n: () => list.nextFinding(1),
    p: () => list.nextFinding(-1),
    a: () => mateOf(list.selected),
  };
  const target = Object.hasOwn(row, event.key) ? row[event.key]() : undefined;
  if (target !== undefined) list.select(target);
};

/** The messages as lines, because paper does not scroll. */
const print = () => {
  const rows = list.rows.slice(0, PRINTED);
  const rest = list.rows.length - rows.length;
  const lines = rows.map((row) => {
    const side = senderOf(row);
    const route = side === 'client' ? '→' : side === 'server' ? '←' : '–';
    const ms = columns.ms[row];
    const item = make(
      'li',
      '',
      `${nameOf(row)} ${ms === null ? '' : `${sayOffset(ms)} `}${route} `,
    );
    item.append(make('b', '', methodOf(row)), ` ${columns.label[row]}`);
    for (const { severity, code, text } of findingsOf(row)) {
      item.append(
        make('p', severity === 'error' ? 'alarm' : '', `${severity}: ${code}: `, ...withCode(text)),
      );
    }
    return item;
  });
  const more = rest > 0 ? [make('p', '', `${many(rest, 'message')} more are not printed.`)] : [];
  byId('printed').replaceChildren(make('ul', '', ...lines), ...more);
};

fillChoices();
sayNames();
for (const [name, control] of Object.entries(controls)) {
  control?.addEventListener('input', () => (name === 'search' ? refreshLater() : refresh()));
}
byId('clear').addEventListener('click', clear);
byId('filters').addEventListener('submit', (event) => {
  event.preventDefault();
  apply();
  if (list.rows.length > 0) list.select(list.rows[0]);
  list.element.focus();
});
list.element.addEventListener('keydown', onListKey);
addEventListener('keydown', onKey);
// By now the address may have been rewritten.
addEventListener('hashchange', ({ newURL }) => follow(new URL(newURL).hash));
addEventListener('beforeprint', print);
addEventListener('afterprint', () => byId('printed').replaceChildren());
showDetail(panel, undefined);
apply();
follow(location.hash);
