/* global document, performance, setTimeout, clearTimeout */

/** An element with attributes and children. Texts become text nodes: nothing here makes HTML of a text. */
export function make(name, attributes = {}, ...children) {
  const element = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) {
    if (value === true) element.setAttribute(key, '');
    else if (value !== undefined && value !== false) element.setAttribute(key, String(value));
  }
  element.append(...children.flat().filter((child) => child !== undefined && child !== false));
  return element;
}

/** Gives `old` the attributes and children of `next`. See {@link updateChildren}. */
function update(old, next) {
  for (const name of old.getAttributeNames()) {
    if (!next.hasAttribute(name)) old.removeAttribute(name);
  }
  for (const name of next.getAttributeNames()) {
    const value = next.getAttribute(name);
    if (old.getAttribute(name) !== value) old.setAttribute(name, value);
  }
  updateChildren(old, [...next.childNodes]);
}

/**
 * Makes `children` those of `old`. Nodes that stay keep the focus, a selection, their scroll position and a click that
 * has begun. Elements with different names or ids are different ones.
 */
export function updateChildren(old, children) {
  for (const [index, child] of children.entries()) {
    const known = old.childNodes[index];
    if (known === undefined) old.append(child);
    else if (known.isEqualNode(child)) continue;
    else if (isSame(known, child)) update(known, child);
    else known.replaceWith(child);
  }
  while (old.childNodes.length > children.length) old.lastChild.remove();
}

const isSame = (known, child) =>
  known.nodeType === 1 && known.nodeName === child.nodeName && known.id === child.id;

const INVISIBLE = /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/gu;

/** A stranger's text, with characters that cannot be seen, or that move others, as escapes. */
export function printable(text, kept = '') {
  return String(text).replace(INVISIBLE, (character) =>
    kept.includes(character)
      ? character
      : `\\u${character.codePointAt(0).toString(16).padStart(4, '0')}`,
  );
}

const FORMAT = new Intl.DateTimeFormat(undefined, { dateStyle: 'short', timeStyle: 'medium' });

export function time(iso) {
  return make('time', { datetime: iso, title: iso }, FORMAT.format(new Date(iso)));
}

const UNITS = [
  [86_400_000, 'd'],
  [3_600_000, 'h'],
  [60_000, 'min'],
  [1_000, 's'],
];

/** Such as `2 min 5 s`: the two greatest units. */
export function duration(milliseconds) {
  if (milliseconds < 1_000) return `${milliseconds} ms`;
  let rest = milliseconds;
  const parts = [];
  for (const [size, unit] of UNITS) {
    const count = Math.floor(rest / size);
    rest -= count * size;
    if (count > 0 || parts.length > 0) parts.push(count > 0 ? `${count} ${unit}` : '');
    if (parts.length === 2) break;
  }
  return parts.filter(Boolean).join(' ');
}

const NAMES = {
  working: 'Working',
  input_required: 'Input required',
  completed: 'Completed',
  failed: 'Failed',
  cancelled: 'Cancelled',
};
export const STATUSES = Object.keys(NAMES);

export const statusName = (status) => NAMES[status] ?? printable(status);

export function badge(status) {
  return make('span', { class: `badge ${status}` }, statusName(status));
}

/** Replaces the text only when it differs, so that screen readers do not repeat it. */
export function say(element, text) {
  if (element.textContent !== text) element.textContent = text;
}

/**
 * Repeats `work` when asked, never twice at a time, and at most a tenth of the time. Asked while the page is hidden, it
 * waits until the page is seen. `work` may return the milliseconds to pause instead.
 */
export function paced(work) {
  let timer;
  let isRunning = false;
  let isWanted = false;
  let isUrgent = false;
  let notBefore = 0;

  async function run() {
    timer = undefined;
    isRunning = true;
    isWanted = false;
    isUrgent = false;
    const began = performance.now();
    const pause = await work();
    const ended = performance.now();
    // What a person did meanwhile does not wait either.
    notBefore = isUrgent ? 0 : ended + (pause ?? Math.max(500, 10 * (ended - began)));
    isRunning = false;
    if (isWanted) ask();
  }

  function ask() {
    isWanted = true;
    if (timer !== undefined || isRunning || document.hidden) return;
    timer = setTimeout(run, Math.max(0, notBefore - performance.now()));
  }

  document.addEventListener('visibilitychange', () => {
    if (isWanted && !document.hidden) ask();
  });
  return {
    ask,
    /** For what a person did, which does not wait. */
    askNow() {
      isUrgent = true;
      notBefore = 0;
      clearTimeout(timer);
      timer = undefined;
      ask();
    },
  };
}

/** Resolves while the page can be seen, otherwise when it is. */
export function seen() {
  return new Promise((resolve) => {
    if (document.hidden) document.addEventListener('visibilitychange', resolve, { once: true });
    else resolve();
  });
}
