import type { JsonObject } from '../../tasks/index.js';
import { Closed } from '../errors.js';
import type { ClientTransport } from '../transport.js';
import { assertType, discard, eachChunk, EVENT_STREAM, throwTooLong } from './body.js';
import { NotMcp } from './errors.js';
import { eventReader } from '../../transport/reading/events.js';
import { receive, valueIn } from './received.js';
import { DEFAULT_MESSAGE_BYTES, type HttpOptions, request } from './requests.js';

/**
 * A connection over HTTP+SSE, the transport of 2024-11-05: one event stream for all messages of the server, which names the
 * address for those of the client. The end of the stream is the end of the connection.
 */
export function sseTransport(url: URL, options: HttpOptions = {}): ClientTransport {
  const { maxMessageBytes: most = DEFAULT_MESSAGE_BYTES } = options;
  let endpoint: URL | undefined;
  let stop: AbortController | undefined;

  async function read(signal: AbortSignal, opened: () => void): Promise<void> {
    const headers = { accept: EVENT_STREAM };
    const response = await request(url, options, { method: 'GET', headers, signal });
    await assertType(response, EVENT_STREAM);
    const reader = eventReader(most, {
      tooLong: () => throwTooLong(most),
      event({ type, data }) {
        if (type === 'endpoint') {
          endpoint = endpointIn(new TextDecoder().decode(data), url);
          opened();
        } else if (type === 'message') receive(transport, valueIn(data, most));
      },
    });
    await eachChunk(response, reader, signal);
    throw new NotMcp('The event stream of the server ended');
  }

  const transport: ClientTransport = {
    kind: 'sse',
    async start() {
      const own = new AbortController();
      stop = own;
      endpoint = undefined;
      await new Promise<void>((resolve, reject) => {
        read(own.signal, resolve).catch((error: Error) => {
          if (stop === own && endpoint !== undefined) {
            transport.onerror?.(error);
            void transport.close();
          } else reject(error);
        });
      });
    },
    async send(message: JsonObject) {
      if (endpoint === undefined || stop === undefined)
        throw new Closed('The connection is closed');
      const headers = { 'content-type': 'application/json' };
      const body = JSON.stringify(message);
      const sent = { method: 'POST', headers, body, signal: stop.signal } as const;
      await discard(await request(endpoint, options, sent));
    },
    close() {
      const ended = stop;
      stop = endpoint = undefined;
      ended?.abort(new Closed('The connection is closed'));
      if (ended !== undefined) transport.onclose?.();
      return Promise.resolve();
    },
  };
  return transport;
}

/** Messages and tokens are for the server that was named. */
function endpointIn(text: string, url: URL): URL {
  const endpoint = URL.canParse(text, url.href) ? new URL(text, url) : undefined;
  if (endpoint?.origin === url.origin) return endpoint;
  throw new NotMcp(`The server names an address of another origin for messages: ${text}`);
}
