/* global document, location, history, addEventListener */
/** The search of the page. Without it, the page is complete and readable. */
const box = document.getElementById('search');
const found = document.getElementById('found');
const items = [...document.querySelectorAll('.item')];
const groups = [...document.querySelectorAll('section')].filter((it) => it.querySelector('.item'));
let texts;
const PREFIX = '#search=';

const textOf = (item) => item.textContent.toLowerCase();

const show = (query) => {
  const words = query.toLowerCase().split(/\s+/).filter(Boolean);
  texts ??= items.map(textOf);
  let count = 0;
  items.forEach((item, index) => {
    item.hidden = !words.every((word) => texts[index].includes(word));
    if (!item.hidden) count += 1;
  });
  for (const group of groups) group.hidden = !group.querySelector('.item:not([hidden])');
  for (const section of document.querySelectorAll('main > section')) {
    if (!groups.includes(section)) section.hidden = words.length > 0;
  }
  found.textContent = words.length > 0 ? `${count} of ${items.length} found` : '';
};

const clear = () => {
  box.value = '';
  show('');
};

/** Follows `#search=…`, and shows the target of any other fragment. */
const follow = () => {
  if (location.hash.startsWith(PREFIX)) {
    try {
      box.value = decodeURIComponent(location.hash.slice(PREFIX.length));
    } catch {
      box.value = '';
    }
    show(box.value);
    return;
  }
  const id = location.hash.slice(1);
  const target = id && document.getElementById(id);
  if (!target) return;
  if (target.closest('[hidden]')) clear();
  target.scrollIntoView();
  target.querySelector('a')?.focus({ preventScroll: true });
};

box.addEventListener('input', () => {
  show(box.value);
  const query = encodeURIComponent(box.value.trim());
  history.replaceState(null, '', query ? PREFIX + query : '#');
});
box.form.addEventListener('submit', (event) => {
  event.preventDefault();
  items
    .find((item) => !item.hidden)
    ?.querySelector('a')
    ?.focus();
});
addEventListener('keydown', (event) => {
  const typing = event.target === box;
  if (event.key === '/' && !typing && !event.ctrlKey && !event.metaKey && !event.altKey) {
    event.preventDefault();
    box.focus();
  } else if (event.key === 'Escape' && typing) {
    clear();
    history.replaceState(null, '', '#');
  }
});
addEventListener('hashchange', follow);
follow();
