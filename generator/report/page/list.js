/* global document, ResizeObserver, requestAnimationFrame */
import {
  classOf,
  columns,
  findingsOf,
  kindOf,
  mateOf,
  methodOf,
  senderOf,
  statusOf,
  worstOf,
} from './data.js';
import { make, nameOf } from './detail.js';
import { draw, layOut, ROW, tasksWidth } from './flow.js';
import { positionOf } from './lanes.js';
import { many, sayOffset } from './words.js';

const OVERSCAN = 6;
const NARROW = 560;

/** The rows as a list of options, of which only those on the screen exist. */
export class List {
  rows = [];
  selected = undefined;
  #mate = undefined;
  #lanes = layOut([]);
  #space = make('div', 'space');
  #window = make('div', 'window');
  #picture = document.createElementNS('http://www.w3.org/2000/svg', 'svg');
  #geometry = { left: 0, right: 0 };
  #isWaiting = false;

  constructor(element, onSelect) {
    this.element = element;
    this.onSelect = onSelect;
    this.#picture.setAttribute('class', 'picture');
    this.#picture.setAttribute('aria-hidden', 'true');
    this.#space.append(this.#picture, this.#window);
    this.#space.setAttribute('role', 'presentation');
    this.#window.setAttribute('role', 'presentation');
    element.append(this.#space);
    element.addEventListener('scroll', () => this.#later());
    element.addEventListener('keydown', (event) => this.#key(event));
    element.addEventListener('click', (event) => {
      const option = event.target.closest('[role=option]');
      if (option) this.select(Number(option.dataset.row));
    });
    new ResizeObserver(() => this.#later()).observe(element);
  }

  show(rows) {
    this.rows = rows;
    this.#lanes = layOut(rows);
    this.#space.style.height = `${rows.length * ROW}px`;
    const isShown = this.selected !== undefined && this.#at(this.selected) >= 0;
    if (isShown) this.#reveal(this.#at(this.selected));
    else this.element.scrollTop = 0;
    this.#paint();
  }

  /** Chooses a row, and shows it. */
  select(row) {
    this.selected = row;
    this.#mate = row === undefined ? undefined : mateOf(row);
    const at = row === undefined ? -1 : this.#at(row);
    if (at >= 0) this.#reveal(at);
    this.#paint();
    this.onSelect(row);
  }

  /** The next row in this direction that has a finding. */
  nextFinding(step) {
    let at = this.#current() + step;
    while (at >= 0 && at < this.rows.length && findingsOf(this.rows[at]).length === 0) at += step;
    return this.rows[at];
  }

  #at(row) {
    const at = positionOf(this.rows, row);
    return this.rows[at] === row ? at : -1;
  }

  #current() {
    return this.selected === undefined ? -1 : positionOf(this.rows, this.selected);
  }

  #reveal(at) {
    const { scrollTop, clientHeight } = this.element;
    if (at * ROW < scrollTop || (at + 1) * ROW > scrollTop + clientHeight) {
      this.element.scrollTop = at * ROW - (clientHeight - ROW) / 2;
    }
  }

  #key(event) {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const page = Math.max(1, Math.floor(this.element.clientHeight / ROW) - 1);
    const end = this.rows.length - 1;
    const current = this.#current();
    const steps = {
      ArrowDown: current + 1,
      ArrowUp: current - 1,
      PageDown: current + page,
      PageUp: current - page,
      Home: 0,
      End: end,
    };
    if (!Object.hasOwn(steps, event.key) || end < 0) return;
    event.preventDefault();
    this.select(this.rows[Math.min(end, Math.max(0, steps[event.key]))]);
  }

  #later() {
    if (this.#isWaiting) return;
    this.#isWaiting = true;
    requestAnimationFrame(() => {
      this.#isWaiting = false;
      this.#paint();
    });
  }

  #paint() {
    const { scrollTop, clientHeight, clientWidth } = this.element;
    const first = Math.max(0, Math.floor(scrollTop / ROW) - OVERSCAN);
    const last = Math.min(
      this.rows.length - 1,
      Math.ceil((scrollTop + clientHeight) / ROW) + OVERSCAN,
    );
    this.#measure(clientWidth);
    this.#window.replaceChildren(
      ...this.rows.slice(first, last + 1).map((row, i) => this.#option(row, first + i)),
    );
    for (const part of [this.#picture, this.#window]) part.style.top = `${first * ROW}px`;
    this.#picture.setAttribute('width', clientWidth);
    this.#picture.setAttribute('height', Math.max(0, last - first + 1) * ROW);
    draw(this.#picture, this.rows, this.#lanes, { first, last, ...this.#geometry });
    const at = this.selected === undefined ? -1 : this.#at(this.selected);
    if (at >= first && at <= last) {
      this.element.setAttribute('aria-activedescendant', `row-${this.selected}`);
    } else {
      this.element.removeAttribute('aria-activedescendant');
    }
  }

  /** Where the lifelines are. */
  #measure(width) {
    const isNarrow = width < NARROW;
    const left = isNarrow ? 66 : 118;
    const right = width - (isNarrow ? 16 : 28) - tasksWidth(this.#lanes);
    this.#geometry = { left, right };
    const parent = this.element.parentElement;
    parent.style.setProperty('--left', `${left}px`);
    parent.style.setProperty('--right', `${width - right}px`);
  }

  #option(row, at) {
    const option = make('div', classesOf(row));
    if (row === this.#mate) option.classList.add('mate');
    option.id = `row-${row}`;
    option.dataset.row = row;
    option.setAttribute('role', 'option');
    option.setAttribute('aria-selected', String(row === this.selected));
    option.setAttribute('aria-setsize', String(this.rows.length));
    option.setAttribute('aria-posinset', String(at + 1));
    option.style.top = `${(at - Math.max(0, Math.floor(this.element.scrollTop / ROW) - OVERSCAN)) * ROW}px`;
    option.append(whenOf(row, this.rows[at - 1]), whatOf(row));
    return option;
  }
}

const classesOf = (row) => `row${findingsOf(row).length > 0 ? ` found ${worstOf(row)}` : ''}`;

/** A gap from which a pause is marked, in milliseconds. */
const PAUSE = 1000;

const whenOf = (row, before) => {
  const ms = columns.ms[row];
  const when = make('span', 'when', make('span', 'number', nameOf(row).replace('Message ', '')));
  if (ms !== null) {
    const gap = before === undefined || columns.ms[before] === null ? 0 : ms - columns.ms[before];
    when.append(make('span', gap >= PAUSE ? 'time pause' : 'time', sayOffset(ms)));
  }
  return when;
};

const whatOf = (row) => {
  const what = make('span', 'what');
  const sender = senderOf(row);
  const route = sender ? `${sender} to ${sender === 'client' ? 'server' : 'client'}, ` : '';
  what.append(make('span', 'unseen', `${route}${kindOf(row)} `));
  const findings = findingsOf(row);
  if (findings.length > 0) {
    const severity = worstOf(row);
    what.append(
      make(
        'span',
        `severity ${severity}`,
        findings.length > 1 ? many(findings.length, 'finding') : severity,
      ),
      ' ',
    );
  }
  const kind = columns.kind[row];
  if (kind === 'e') what.append(make('b', 'alarm', 'error'), ' ');
  what.append(make('b', '', methodOf(row) || (kind === 'x' ? '' : kindOf(row))));
  const status = statusOf(row);
  if (status) what.append(' ', make('span', `key ${classOf(status)}`, status));
  if (columns.label[row]) what.append(' ', make('span', 'label', columns.label[row]));
  return what;
};
