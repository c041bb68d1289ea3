/* global document, location, addEventListener, URLSearchParams */
/** Shows the list or one task, as the fragment of the address says, and keeps it as the store has it. */
import { say } from './dom.js';
import { createList } from './list.js';
import { createTask } from './task.js';
import { follow, setToken, takeToken } from './wire.js';

const byId = (id) => document.getElementById(id);
const NAMES = ['status', 'tool', 'owner', 'id', 'before'];

const list = createList({ onError, onRead });
const task = createTask({ onError, onRead });
let isFollowing = false;
let isLive = false;

/** `#task=<id>`, or the search of a list. */
function show() {
  const place = new URLSearchParams(location.hash.slice(1));
  const id = place.get('task');
  const isTask = id !== null;
  byId('list').hidden = isTask;
  byId('task').hidden = !isTask;
  document.title = isTask ? `Task ${id}` : 'Tasks';
  if (isTask) task.show(encodeURIComponent(id));
  else list.show(Object.fromEntries([...place].filter(([name]) => NAMES.includes(name))));
}

function refresh() {
  if (byId('access').hidden === false) return;
  if (byId('list').hidden) task.refresh();
  else list.refresh();
}

function onError(error) {
  if (error.status === 401 || error.status === 403) return askForToken(error);
  say(byId('connection'), error.message);
}

/** A message of an error that is over must not stay. */
function onRead() {
  if (isLive) say(byId('connection'), 'Live');
}

function askForToken(error) {
  byId('list').hidden = true;
  byId('task').hidden = true;
  byId('access').hidden = false;
  say(byId('access-reason'), error.message);
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
      isLive = true;
      say(byId('connection'), 'Live');
    },
    onLost() {
      isLive = false;
      say(byId('connection'), 'Not connected; tries again');
    },
    onRefused(error) {
      isFollowing = false;
      askForToken(error);
    },
  });
}

byId('access').addEventListener('submit', (event) => {
  event.preventDefault();
  setToken(byId('token').value.trim());
  byId('token').value = '';
  start();
});
addEventListener('hashchange', () => {
  takeToken();
  start();
  byId('main').focus({ preventScroll: true });
  document.scrollingElement.scrollTop = 0;
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
