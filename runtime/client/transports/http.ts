import { META_KEYS, METHODS } from '../../protocol.js';
import { at, isObject } from '../../peer/wire/json.js';
import { encodedHeader, nameParameter } from '../../peer/wire/mirrored-headers.js';
import type { JsonObject } from '../../tasks/index.js';
import { isMeantAsAnswer } from '../../transport/reading/envelope.js';
import { Closed } from '../errors.js';
import type { ClientTransport, SendOptions } from '../transport.js';
import { assertType, discard, EVENT_STREAM, jsonOf, mediaTypeOf, type Value } from './body.js';
import { HttpError, NotMcp } from './errors.js';
import { EventStream } from './event-stream.js';
import { receive } from './received.js';
import { DEFAULT_MESSAGE_BYTES, type HttpOptions, request, type Sent } from './requests.js';

export interface HttpTransportOptions extends HttpOptions {
  /** Of a session that is continued. */
  readonly sessionId?: string | undefined;
}

/** Headers that say what the connection or the message is. */
const OWN: ReadonlySet<string> = new Set([
  'authorization',
  'content-type',
  'mcp-method',
  'mcp-name',
  'mcp-protocol-version',
  'mcp-session-id',
]);

/** A connection over Streamable HTTP. */
export function httpTransport(url: URL, options: HttpTransportOptions = {}): ClientTransport {
  const { maxMessageBytes: most = DEFAULT_MESSAGE_BYTES } = options;
  let { sessionId } = options;
  let version: string | undefined;
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

  function stream(stop: AbortController, isStandalone: boolean, onEnd?: (reason?: Error) => void) {
    const { signal } = stop;
    return new EventStream({
      ...{ signal, isStandalone, most },
      request: (headers) => requested({ method: 'GET', signal }, headers),
      receive: (read) => receive(transport, read),
      end(reason) {
        open.delete(stop);
        onEnd?.(reason);
      },
    });
  }

  /** The stream of messages that belong to no request. */
  function listen(): void {
    const fail = (reason?: Error): void => void (reason && transport.onerror?.(reason));
    void stream(begin(), true, fail).open();
  }

  /** Sends a message, and reads the answer of a request. */
  async function send(message: JsonObject, given: SendOptions, stop: AbortController) {
    const { method, id } = message;
    const isHandshake = method === METHODS.initialize;
    const headers = { ...extra(given.headers), ...headersOf(message) };
    const sent = { method: 'POST', body: JSON.stringify(message), signal: stop.signal } as const;
    // A handshake begins another session.
    const response = await requested(sent, headers, isHandshake ? '' : sessionId);
    if (isHandshake) sessionId = response.headers.get('mcp-session-id') ?? undefined;
    if (method === undefined || id === undefined) {
      open.delete(stop);
      await discard(response);
      if (method === METHODS.notificationsInitialized) listen();
    } else if (mediaTypeOf(response) === EVENT_STREAM) {
      void stream(stop, false, given.onRequestStreamEnd).read(response);
    } else {
      await assertType(response, 'application/json');
      receive(transport, await jsonOf(response, most));
      open.delete(stop);
      // For an answer with another id.
      given.onRequestStreamEnd?.(new NotMcp('The server sent no answer to the request'));
    }
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
        if (refusal !== undefined) return receive(transport, refusal);
        if (given.requestSignal?.aborted !== true) transport.onerror?.(error as Error);
        throw error;
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
