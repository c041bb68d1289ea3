/* global fetch, history, location, sessionStorage, setTimeout, TextDecoder */

/** Of this origin, which includes the port, and of this tab. */
const KEY = 'task board token';
const FRAGMENT = /^#token=([\w.~+/=-]+)$/;

let token = sessionStorage.getItem(KEY) ?? '';

export function setToken(text) {
  token = text;
  sessionStorage.setItem(KEY, text);
}

/** Takes the secret out of the address bar, where it could be seen or copied. */
export function takeToken() {
  const [, found] = FRAGMENT.exec(location.hash) ?? [];
  if (found === undefined) return;
  setToken(found);
  history.replaceState(null, '', location.pathname + location.search);
}

/** Thrown for every answer that is not 200, and when there was none (status 0). */
export class AskError extends Error {
  constructor(status, message) {
    super(message);
    this.status = status;
  }
}

async function request(path, options = {}) {
  const headers = { authorization: `Bearer ${token}`, ...options.headers };
  const answer = fetch(path, { ...options, headers, cache: 'no-store', redirect: 'error' });
  const response = await answer.catch((error) => {
    throw options.signal?.aborted ? error : new AskError(0, 'The board does not answer');
  });
  if (response.ok) return response;
  const { error } = await response.json().catch(() => ({}));
  throw new AskError(response.status, error?.message ?? `The board answered ${response.status}`);
}

/** The text of an answer, and its value. */
export async function ask(path, options) {
  const response = await request(path, options);
  const text = await response.text();
  return { text, value: JSON.parse(text) };
}

export function post(path, body = {}) {
  const headers = { 'content-type': 'application/json' };
  return ask(path, { method: 'POST', headers, body: JSON.stringify(body) });
}

const FIRST_DELAY_MS = 500;
const LONGEST_DELAY_MS = 10_000;

/** Follows the stream of changes, and again whenever it breaks. Ends when the token is refused. */
export async function follow({ onChange, onLive, onLost, onRefused }) {
  let delay = FIRST_DELAY_MS;
  for (;;) {
    try {
      const { body } = await request('api/events');
      delay = FIRST_DELAY_MS;
      onLive();
      await read(body, onChange);
    } catch (error) {
      if (error.status === 401 || error.status === 403) return onRefused(error);
    }
    onLost();
    await new Promise((resolve) => setTimeout(resolve, delay));
    delay = Math.min(2 * delay, LONGEST_DELAY_MS);
  }
}

async function read(body, onChange) {
  const reader = body.getReader();
  const decoder = new TextDecoder();
  let rest = '';
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return;
    const events = (rest + decoder.decode(value, { stream: true })).split('\n\n');
    rest = events.pop();
    if (events.some((event) => event.startsWith('event: changed'))) onChange();
  }
}
