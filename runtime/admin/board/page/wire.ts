/** Of this origin, which includes the port, and of this tab. */
const KEY = 'task board token';
const FRAGMENT = /^#token=([\w.~+/=-]+)$/;

let token = sessionStorage.getItem(KEY) ?? '';

export function setToken(text: string): void {
  token = text;
  sessionStorage.setItem(KEY, text);
}

/** Takes the secret out of the address bar, where it could be seen or copied. */
export function takeToken(): void {
  const [, found] = FRAGMENT.exec(location.hash) ?? [];
  if (found === undefined) return;
  setToken(found);
  history.replaceState(null, '', location.pathname + location.search);
}

/** Thrown for every answer that is not 200, and when there was none (status 0). */
export class AskError extends Error {
  constructor(
    readonly status: number,
    message: string,
    readonly reason?: string,
  ) {
    super(message);
  }
}

/** Whether another token is needed. */
export const isRefusal = ({ status }: AskError): boolean => status === 401 || status === 403;

/** Whether the same request may succeed later: there was no answer, or the board or its store has a fault. */
export const isPassing = ({ status }: AskError): boolean => status === 0 || status >= 500;

/** After which what failed is tried again. */
export const FAULT_PAUSE_MS = 5_000;

/** A connection can be gone without an end. The stream of changes is never silent for longer than 15 s. */
const LONGEST_SILENCE_MS = 40_000;

/** Ends a request that is silent for too long. */
function watched(outer: AbortSignal | undefined) {
  const controller = new AbortController();
  const end = (): void => controller.abort();
  let timer: number | undefined;
  const heard = (): void => {
    clearTimeout(timer);
    timer = window.setTimeout(end, LONGEST_SILENCE_MS);
  };
  heard();
  outer?.addEventListener('abort', end);
  if (outer?.aborted) end();
  return {
    ...{ signal: controller.signal, heard },
    close: (): void => {
      clearTimeout(timer);
      outer?.removeEventListener('abort', end);
    },
  };
}

/** What `read` makes of an answer that is 200. It calls `heard` with each part that arrives. */
async function request<T>(
  path: string,
  options: RequestInit,
  read: (response: Response, heard: () => void) => Promise<T>,
): Promise<T> {
  const used = token;
  const { signal, heard, close } = watched(options.signal ?? undefined);
  try {
    const response = await fetch(path, {
      ...options,
      signal,
      headers: { authorization: `Bearer ${used}`, 'content-type': 'application/json' },
      cache: 'no-store',
      redirect: 'error',
    });
    if (response.ok) return await read(response, heard);
    // Refused for a token that has been replaced meanwhile.
    if (response.status === 401 && used !== token) return await request(path, options, read);
    const { error } = (await response.json().catch(() => ({}))) as {
      error?: { message?: string; reason?: string };
    };
    const { message = `The board answered ${String(response.status)}`, reason } = error ?? {};
    throw new AskError(response.status, message, reason);
  } catch (error) {
    if (error instanceof AskError || options.signal?.aborted) throw error;
    throw new AskError(0, 'The board does not answer');
  } finally {
    close();
  }
}

/** The value of an answer, whose shape is one of `answers.ts`. Rejects with an AskError, or when `signal` aborts. */
export async function ask<T>(path: string, options: RequestInit = {}): Promise<T> {
  return JSON.parse(await request(path, options, (response) => response.text())) as T;
}

export function post<T>(path: string, body: object): Promise<T> {
  return ask<T>(path, { method: 'POST', body: JSON.stringify(body) });
}

const FIRST_DELAY_MS = 500;
const LONGEST_DELAY_MS = 10_000;

/** Receives the changes, and the state of their stream. */
export interface Follower {
  readonly onChange: () => void;
  readonly onLive: () => void;
  readonly onLost: (why: string) => void;
  readonly onRefused: (error: AskError) => void;
}

/** Follows the stream of changes, and again whenever it breaks, until `signal` aborts or the token is refused. */
export async function follow(
  { onChange, onLive, onLost, onRefused }: Follower,
  signal: AbortSignal,
): Promise<void> {
  let delay = FIRST_DELAY_MS;
  while (!signal.aborted) {
    let why = 'Not connected';
    try {
      await request('api/events', { signal }, ({ body }, heard) => {
        delay = FIRST_DELAY_MS;
        onLive();
        return read(body, heard, onChange);
      });
    } catch (error) {
      if (signal.aborted || !(error instanceof AskError)) return;
      if (isRefusal(error)) return onRefused(error);
      if (error.status > 0) why = error.message;
    }
    onLost(why);
    await new Promise((resolve) => setTimeout(resolve, delay));
    delay = Math.min(2 * delay, LONGEST_DELAY_MS);
  }
}

async function read(
  body: ReadableStream<Uint8Array> | null,
  heard: () => void,
  onChange: () => void,
): Promise<void> {
  const reader = body?.getReader();
  const decoder = new TextDecoder();
  let rest = '';
  for (;;) {
    const { done = true, value } = (await reader?.read()) ?? {};
    if (done) return;
    heard();
    const events = (rest + decoder.decode(value, { stream: true })).split('\n\n');
    rest = events.pop() ?? '';
    if (events.some((event) => event.startsWith('event: changed'))) onChange();
  }
}
