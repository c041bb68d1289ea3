import type { Abort, JsonObject } from '../tasks/index.js';
import { Closed } from './errors.js';
import type { ClientTransport } from './transport.js';

/** A way to one server, as a `Channel` of `runtime/peer` has it. */
export interface ClientChannel {
  /** Sends a message, whose JSON is `text`. Rejects when it did not reach the server. */
  send(message: JsonObject, text: string): Promise<void> | void;
  /** The client sends nothing more. */
  close(): void;
  /** Aborted when the server has disconnected. An `AbortSignal` is one. */
  readonly gone: Abort;
}

/** Opens a channel. The messages of the server go to `receive`, which checks them. */
export type OpenChannel = (
  receive: (message: unknown) => void,
) => Promise<ClientChannel> | ClientChannel;

/** A transport over a channel. Each `start` opens a channel. */
export function channelTransport(open: OpenChannel): ClientTransport {
  let channel: ClientChannel | undefined;
  /** Counts the channels, because a message of an earlier one may come late. */
  let current = 0;
  const transport: ClientTransport = {
    async start() {
      const own = (current += 1);
      const ended = (): void => {
        if (own === current) end();
      };
      channel = await open((message) => {
        if (own === current) transport.onmessage?.(message as never);
      });
      channel.gone.addEventListener('abort', ended, { once: true });
      if (channel.gone.aborted) ended();
    },
    async send(message: JsonObject) {
      if (channel === undefined) throw new Closed('The channel is closed');
      await channel.send(message, JSON.stringify(message));
    },
    close() {
      end()?.close();
      return Promise.resolve();
    },
  };

  /** Returns the channel that it takes out of use, if there is one. */
  function end(): ClientChannel | undefined {
    const ended = channel;
    current += 1;
    channel = undefined;
    if (ended !== undefined) transport.onclose?.();
    return ended;
  }

  return transport;
}
