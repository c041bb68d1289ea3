import { META_KEYS, METHODS } from '../../protocol.js';
import { at, isObject } from '../../peer/wire/json.js';
import { encodedHeader, nameParameter } from '../../peer/wire/mirrored-headers.js';
import type { JsonObject } from '../../tasks/index.js';
import { isMeantAsAnswer, MessageFault } from '../../transport/reading/envelope.js';
import { Closed } from '../errors.js';
import type { ClientTransport, SendOptions } from '../transport.js';
import { discard, eachChunk, jsonOf, throwTooLong, type Value } from './body.js';
import { HttpError, NotMcp } from './errors.js';
import { eventReader } from '../../transport/reading/events.js';
import { isAnswer, receive, valueIn } from './received.js';
import { DEFAULT_MESSAGE_BYTES, type HttpOptions, request, type Sent } from './requests.js';

export interface HttpTransportOptions extends HttpOptions {
  /** Of a session that is continued. */
  readonly sessionId?: string | undefined;
}

/** A stream of messages, and what is needed to resume it. */
interface Stream {
  readonly signal: AbortSignal;
  /** No answer comes any more. */
  readonly end: (reason?: Error) => void;
  /** Of the last event: a stream without ids cannot be resumed. */
  lastId?: string;
  isAnswered: boolean;
  /** It belongs to no request: it is opened again without an id, too. */
  readonly isStandalone: boolean;
  /** Attempts to resume it since it was open. */
  attempts: number;
  /** Why an event of it could not be read. */
  problem?: Error;
}

const MOST_ATTEMPTS = 2;
/** Milliseconds before a stream is resumed whose server names no time: more with each attempt. */
const FIRST_WAIT = 1_000;
/** Headers that say what the connection or the message is. */
const OWN: ReadonlySet<string> = new Set([
  'authorization',
  'content-type',
  'mcp-method',
  'mcp-name',
  'mcp-protocol-version',
  'mcp-session-id',
]);

/** A connection over Streamable HTTP. A stream that ends before its answer is resumed, where its events have ids. */
export function httpTransport(url: URL, options: HttpTransportOptions = {}): ClientTransport {
  const { maxMessageBytes: most = DEFAULT_MESSAGE_BYTES } = options;
  let { sessionId } = options;
  let version: string | undefined;
  let retry: number | undefined;
  let isOpen = false;
  const open = new Set<AbortController>();

  /** A signal that `close` aborts, too. */
  function begin(signal?: AbortSignal): AbortController {
    if (!isOpen) throw new Closed('The connection is closed');
    const stop = new AbortController();
    open.add(stop);
    const abort = (): void => stop.abort(signal?.reason);
    if (signal?.aborted === true) abort();
    signal?.addEventListener('abort', abort, { once: true });
    stop.signal.addEventListener('abort', () => open.delete(stop), { once: true });
    return stop;
  }

  function requested(
    sent: Omit<Sent, 'headers'>,
    more: Sent['headers'],
    session = sessionId,
  ): Promise<Response> {
    const headers = {
      ...(session !== undefined && session !== '' && { 'mcp-session-id': session }),
      ...(version !== undefined && { 'mcp-protocol-version': version }),
      ...more,
    };
    return request(url, options, { ...sent, headers });
  }

  /** Sends a message, and reads the answer of a request. */
  async function send(message: JsonObject, given: SendOptions, stop: AbortController) {
    const { method, id } = message;
    const isHandshake = method === METHODS.initialize;
    const body = JSON.stringify(message);
    const headers = { ...extra(given.headers), ...headersOf(message) };
    const { signal } = stop;
    // It begins another session.
    const session = isHandshake ? '' : sessionId;
    const response = await requested({ method: 'POST', body, signal }, headers, session);
    if (isHandshake) sessionId = response.headers.get('mcp-session-id') ?? undefined;
    if (method === undefined || id === undefined) {
      open.delete(stop);
      await discard(response);
      if (method === METHODS.notificationsInitialized) listen();
      return;
    }
    const end = (reason?: Error): void => {
      open.delete(stop);
      given.onRequestStreamEnd?.(reason);
    };
    if (mediaTypeOf(response) === 'text/event-stream') {
      const stream: Stream = { signal, end, isAnswered: false, isStandalone: false, attempts: 0 };
      void read(response, stream);
      return;
    }
    receive(transport, await answerIn(response, most));
    // For an answer with another id.
    end(new NotMcp('The server sent no answer to the request'));
  }

  /** The stream of messages that belong to no request. Servers need not have one. */
  function listen(): void {
    const stop = begin();
    const end = (reason?: Error): void => {
      open.delete(stop);
      if (reason !== undefined) transport.onerror?.(reason);
    };
    void resume({ signal: stop.signal, end, isAnswered: false, isStandalone: true, attempts: 0 });
  }

  async function resume(stream: Stream): Promise<void> {
    const { signal, lastId } = stream;
    const more = {
      accept: 'text/event-stream',
      ...(lastId !== undefined && { 'last-event-id': lastId }),
    };
    try {
      const response = await requested({ method: 'GET', signal }, more);
      stream.attempts = 0;
      await read(response, stream);
    } catch (error) {
      if (signal.aborted) return;
      // A refusal of the server is not taken back.
      const status = error instanceof HttpError ? error.status : 500;
      if (status === 405 && stream.isStandalone) stream.end();
      else if (status < 500) stream.end(stream.problem ?? (error as Error));
      else again(stream, error as Error);
    }
  }

  /** Waits, and resumes the stream. */
  function again(stream: Stream, reason: Error | undefined): void {
    const { signal, attempts } = stream;
    if (attempts >= MOST_ATTEMPTS) {
      const why = reason === undefined ? '' : `: ${reason.message}`;
      return stream.end(new Error(`The stream could not be resumed${why}`, { cause: reason }));
    }
    stream.attempts += 1;
    const timer = setTimeout(
      () => {
        signal.removeEventListener('abort', stop);
        void resume(stream);
      },
      retry ?? FIRST_WAIT * 1.5 ** attempts,
    );
    const stop = (): void => clearTimeout(timer);
    signal.addEventListener('abort', stop, { once: true });
  }

  async function read(response: Response, stream: Stream): Promise<void> {
    const take = eventReader(most, {
      id: (id) => (stream.lastId = id),
      retry: (ms) => (retry = ms),
      tooLong: () => throwTooLong(most),
      event({ type, data }) {
        if (type !== 'message' || data.length === 0) return;
        const read = valueIn(data, most);
        stream.isAnswered ||= isAnswer(read);
        if (read instanceof MessageFault) stream.problem = read;
        receive(transport, read);
      },
    });
    try {
      await eachChunk(response, (chunk) => {
        take(chunk);
        return !stream.signal.aborted;
      });
    } catch (error) {
      stream.problem = error as Error;
    }
    if (stream.signal.aborted) return;
    const mayResume = stream.isStandalone || stream.lastId !== undefined;
    if (mayResume && !stream.isAnswered) again(stream, stream.problem);
    else stream.end(stream.problem);
  }

  const transport: ClientTransport & { terminateSession(): Promise<void> } = {
    hasPerRequestStream: true,
    start() {
      if (isOpen) throw new Error('The connection is open already');
      isOpen = true;
      return Promise.resolve();
    },
    async send(message: JsonObject, given: SendOptions = {}) {
      const stop = begin(given.requestSignal);
      try {
        await send(message, given, stop);
      } catch (error) {
        open.delete(stop);
        const refusal = refusalIn(error, message);
        if (refusal !== undefined) receive(transport, refusal);
        else {
          if (given.requestSignal?.aborted !== true) transport.onerror?.(error as Error);
          throw error;
        }
      }
    },
    close() {
      if (!isOpen) return Promise.resolve();
      isOpen = false;
      for (const each of [...open]) each.abort(new Closed('The connection is closed'));
      transport.onclose?.();
      return Promise.resolve();
    },
    async terminateSession() {
      if (sessionId === undefined) return;
      const stop = begin();
      try {
        await discard(await requested({ method: 'DELETE', signal: stop.signal }, {}));
      } catch (error) {
        // The server ends sessions by itself.
        if (!(error instanceof HttpError && error.status === 405)) throw error;
      } finally {
        open.delete(stop);
      }
      sessionId = undefined;
    },
    setProtocolVersion(agreed) {
      version = agreed;
    },
    get sessionId() {
      return sessionId;
    },
  };
  return transport;
}

/** The headers of a message. In revisions without sessions, they repeat parts of it. */
function headersOf({ method, id, params }: JsonObject): Record<string, string> {
  const headers: Record<string, string> = {
    accept: 'application/json, text/event-stream',
    'content-type': 'application/json',
  };
  const version = at(params, ['_meta', META_KEYS.protocolVersion]);
  if (typeof method !== 'string' || id === undefined || typeof version !== 'string') return headers;
  headers['mcp-protocol-version'] = version;
  headers['mcp-method'] = method;
  const parameter = nameParameter(method);
  const name = parameter === undefined ? undefined : at(params, [parameter]);
  if (typeof name === 'string') headers['mcp-name'] = encodedHeader(name);
  return headers;
}

function extra(given: SendOptions['headers'] = {}): Record<string, string> {
  const named = Object.entries(given).map(([name, value]) => [name.toLowerCase(), value] as const);
  return Object.fromEntries(named.filter(([name]) => !OWN.has(name)));
}

function mediaTypeOf({ headers }: Response): string | undefined {
  return headers.get('content-type')?.split(';')[0]?.trim().toLowerCase();
}

async function answerIn(response: Response, most: number): Promise<Value> {
  if (mediaTypeOf(response) === 'application/json') return jsonOf(response, most);
  await discard(response);
  const type = response.headers.get('content-type');
  const what = type === null ? 'no content type' : `the content type ${type}`;
  throw new NotMcp(`The server answered HTTP ${String(response.status)} with ${what}`);
}

/** Without sessions, the answer to a request may be the body of a refusal (400). */
function refusalIn(error: unknown, { id, params }: JsonObject): Value | undefined {
  if (!(error instanceof HttpError) || error.status !== 400) return undefined;
  if (id === undefined || at(params, ['_meta', META_KEYS.protocolVersion]) === undefined)
    return undefined;
  try {
    const { text } = error.data;
    const value: unknown = JSON.parse(text);
    const isIt = isObject(value) && value['id'] === id && isMeantAsAnswer(value);
    return isIt ? { value, text } : undefined;
  } catch {
    return undefined;
  }
}
