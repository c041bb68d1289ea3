/* global fetch, history, location, sessionStorage, setTimeout, clearTimeout, TextDecoder, AbortController */

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
  constructor(status, message, reason) {
    super(message);
    this.status = status;
    this.reason = reason;
  }
}

/** Whether another token is needed. */
export const isRefusal = ({ status }) => status === 401 || status === 403;

/** Whether the same request may succeed later: there was no answer, or the board or its store has a fault. */
export const isPassing = ({ status }) => status === 0 || status >= 500;

/** After which what failed is tried again. */
export const FAULT_PAUSE_MS = 5_000;

/** A connection can be gone without an end. The stream of changes is never silent for longer than 15 s. */
const LONGEST_SILENCE_MS = 40_000;

/** Ends a request that is silent for too long. */
function watched(outer) {
  const controller = new AbortController();
  const end = () => controller.abort();
  let timer;
  const heard = () => {
    clearTimeout(timer);
    timer = setTimeout(end, LONGEST_SILENCE_MS);
  };
  heard();
  outer?.addEventListener('abort', end);
  if (outer?.aborted) end();
  return {
    ...{ signal: controller.signal, heard },
    close() {
      clearTimeout(timer);
      outer?.removeEventListener('abort', end);
    },
  };
}

/** What `read` makes of an answer that is 200. It calls `heard` with each part that arrives. */
async function request(path, options, read) {
  const used = token;
  const { signal, heard, close } = watched(options.signal);
  try {
    const headers = { authorization: `Bearer ${used}`, ...options.headers };
    const more = { signal, headers, cache: 'no-store', redirect: 'error' };
    const response = await fetch(path, { ...options, ...more });
    if (response.ok) return await read(response, heard);
    // Refused for a token that has been replaced meanwhile.
    if (response.status === 401 && used !== token) return await request(path, options, read);
    const { error = {} } = await response.json().catch(() => ({}));
    const { message = `The board answered ${response.status}`, reason } = error;
    throw new AskError(response.status, message, reason);
  } catch (error) {
    if (error instanceof AskError || options.signal?.aborted) throw error;
    throw new AskError(0, 'The board does not answer');
  } finally {
    close();
  }
}

/** The text of an answer, and its value. */
export async function ask(path, options = {}) {
  const text = await request(path, options, (response) => response.text());
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
    let why = 'Not connected';
    try {
      await request('api/events', {}, ({ body }, heard) => {
        delay = FIRST_DELAY_MS;
        onLive();
        return read(body, heard, onChange);
      });
    } catch (error) {
      if (isRefusal(error)) return onRefused(error);
      if (error.status > 0) why = error.message;
    }
    onLost(why);
    await new Promise((resolve) => setTimeout(resolve, delay));
    delay = Math.min(2 * delay, LONGEST_DELAY_MS);
  }
}

async function read(body, heard, onChange) {
  const reader = body.getReader();
  const decoder = new TextDecoder();
  let rest = '';
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return;
    heard();
    const events = (rest + decoder.decode(value, { stream: true })).split('\n\n');
    rest = events.pop();
    if (events.some((event) => event.startsWith('event: changed'))) onChange();
  }
}
