/** The search of the page. Without it, the page is complete and readable. */
import { focusOnSlash } from '../../toolkit/keys.js';

const PREFIX = '#search=';
const box = document.querySelector<HTMLInputElement>('#search');
const found = document.getElementById('found');
const items = [...document.querySelectorAll<HTMLElement>('.item')];
const sections = [...document.querySelectorAll('section')];
const groups = sections.filter((section) => section.querySelector('.item'));
/** Read at the first search, because it takes a while. */
let texts: readonly string[] | undefined;

function show(query: string): void {
  const words = query.toLowerCase().split(/\s+/).filter(Boolean);
  texts ??= items.map(({ textContent }) => textContent.toLowerCase());
  let count = 0;
  for (const [index, item] of items.entries()) {
    item.hidden = !words.every((word) => texts?.[index]?.includes(word));
    if (!item.hidden) count += 1;
  }
  for (const section of sections) {
    if (groups.includes(section)) section.hidden = !section.querySelector('.item:not([hidden])');
    else if (section.matches('main > section')) section.hidden = words.length > 0;
  }
  const said = words.length > 0 ? `${String(count)} of ${String(items.length)} found` : '';
  if (found) found.textContent = said;
}

/** Searches, and keeps the search in the address. */
function search(query: string): void {
  show(query);
  const kept = encodeURIComponent(query.trim());
  history.replaceState(null, '', kept === '' ? '#' : PREFIX + kept);
}

function setBox(query: string): void {
  if (box) box.value = query;
}

/** Follows `#search=…`, and shows the target of any other fragment. */
function follow(): void {
  if (location.hash.startsWith(PREFIX)) {
    const query = decoded(location.hash.slice(PREFIX.length));
    setBox(query);
    show(query);
    return;
  }
  const target = document.getElementById(location.hash.slice(1));
  if (!target) return;
  if (target.closest('[hidden]')) {
    setBox('');
    show('');
  }
  target.scrollIntoView();
  target.querySelector('a')?.focus({ preventScroll: true });
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return '';
  }
}

box?.addEventListener('input', () => search(box.value));
box?.addEventListener('keydown', ({ key }) => {
  if (key !== 'Escape') return;
  box.value = '';
  search('');
});
box?.form?.addEventListener('submit', (event) => {
  event.preventDefault();
  const first = items.find((item) => !item.hidden);
  first?.querySelector('a')?.focus();
});
focusOnSlash(() => box);
addEventListener('hashchange', follow);
follow();
