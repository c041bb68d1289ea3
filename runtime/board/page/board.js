/* global document, location, addEventListener, URLSearchParams */
/** Shows the list or one task, as the fragment of the address says, and keeps it as the store has it. */
import { say } from './dom.js';
import { createList } from './list.js';
import { createTask } from './task.js';
import { follow, isRefusal, setToken, takeToken } from './wire.js';

const byId = (id) => document.getElementById(id);
const NAMES = ['status', 'tool', 'owner', 'id', 'before'];

const list = createList({ onError, onRead });
const task = createTask({ onError, onRead });
let isFollowing = false;
let stream = '';
let isLost = false;
/** Of what was read last, by what it was. */
const faults = new Map();

/** `#task=<id>`, or the search of a list. */
function show() {
  faults.clear();
  const place = new URLSearchParams(location.hash.slice(1));
  const id = place.get('task');
  const isTask = id !== null;
  byId('list').hidden = isTask;
  byId('task').hidden = !isTask;
  const { textContent: server } = byId('server') ?? {};
  document.title = [server, isTask ? `Task ${id}` : 'Tasks'].filter(Boolean).join(': ');
  if (isTask) {
    list.leave();
    task.show(encodeURIComponent(id));
  } else {
    task.leave();
    list.show(Object.fromEntries([...place].filter(([name]) => NAMES.includes(name))));
  }
}

/** Whether the person is changing the search, and keeps the focus there. */
function isSearching() {
  const { activeElement } = document;
  return (
    ['filter', 'statuses'].some((id) => byId(id).contains(activeElement)) && !byId('list').hidden
  );
}

function refresh() {
  if (byId('access').hidden === false) return;
  if (byId('list').hidden) task.refresh();
  else list.refresh();
}

function onError(error, source) {
  if (isRefusal(error)) return askForToken(error);
  faults.set(source, error.message);
  sayConnection();
}

/** A message of an error that is over must not stay. */
function onRead(source) {
  faults.delete(source);
  sayConnection();
}

/** What could not be read matters more than that changes are followed, but less than that they are not. */
function sayConnection() {
  const [fault = stream] = isLost ? [] : faults.values();
  say(byId('connection'), fault);
}

function askForToken(error) {
  byId('list').hidden = true;
  byId('task').hidden = true;
  byId('access').hidden = false;
  say(byId('access-reason'), error.message);
  faults.clear();
  say(byId('connection'), '');
  byId('token').focus();
}

function start() {
  byId('access').hidden = true;
  show();
  if (isFollowing) return;
  isFollowing = true;
  void follow({
    onChange: refresh,
    onLive() {
      stream = 'Live';
      isLost = false;
      sayConnection();
    },
    onLost(why) {
      stream = `${why}; tries again`;
      isLost = true;
      sayConnection();
    },
    onRefused(error) {
      isFollowing = false;
      stream = '';
      isLost = false;
      askForToken(error);
    },
  });
}

byId('access').addEventListener('submit', (event) => {
  event.preventDefault();
  // Some paste the whole URL.
  setToken(
    byId('token')
      .value.trim()
      .replace(/^.*#token=/, ''),
  );
  byId('token').value = '';
  start();
});
addEventListener('hashchange', () => {
  takeToken();
  start();
  document.scrollingElement.scrollTop = 0;
  if (!isSearching()) byId('main').focus({ preventScroll: true });
});
addEventListener('keydown', (event) => {
  const isTyping = /^(?:INPUT|TEXTAREA|SELECT)$/.test(event.target.tagName);
  const isPlain = !event.ctrlKey && !event.metaKey && !event.altKey;
  if (event.key !== '/' || isTyping || !isPlain || byId('list').hidden) return;
  event.preventDefault();
  byId('by-id').focus();
});
takeToken();
start();
