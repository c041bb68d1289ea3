import {
  type JSONRPCMessage,
  parseJSONRPCMessage,
  type Transport,
} from '@modelcontextprotocol/server';

import type { JsonObject } from '../../tasks/index.js';
import { createLineInput } from './line-input.js';
import { createLineOutput } from './line-output.js';
import { TooSlow } from './paced.js';

/** Where lines come from, such as standard input. */
export type LineSource = NodeJS.ReadableStream & {
  readonly readableEnded: boolean;
  readonly destroyed: boolean;
};

/** Where lines go, such as standard output. */
export type LineTarget = NodeJS.WritableStream;

export interface LineTransportOptions {
  readonly source: LineSource;
  readonly target: LineTarget;
  /** Called when messages are dropped, or the connection is closed, because the reader is too slow. */
  readonly onTooSlow: () => void;
}

/** Messages as lines of JSON. */
export interface LineTransport extends Transport {
  /** Gets each JSON value before it is checked. Returns whether it has taken it. */
  onvalue?: (value: unknown) => boolean;
  /** Sends a message whose text is known. */
  sendText(message: JsonObject, text: string): void;
  /** Bytes that wait for the reader. */
  readonly waiting: number;
}

export function isLineTransport(transport: Transport): transport is LineTransport {
  return 'sendText' in transport;
}

/**
 * The SDK's transport for stdio writes each message by itself, and queues without a bound. This one writes once in
 * a turn of the event loop, and takes no more requests while more than 1 MiB waits for the client.
 */
export function lineTransport({ source, target, onTooSlow }: LineTransportOptions): LineTransport {
  let state: 'new' | 'open' | 'closed' = 'new';
  const output = createLineOutput(target, {
    onRoom: () => input.resume(),
    onTooSlow,
    onOverflow() {
      transport.onerror?.(new TooSlow());
      close();
    },
  });
  const input = createLineInput({
    take: (line) => receive(line),
    isBlocked: () => output.isFull,
    flow(flowing) {
      if (state !== 'open') return;
      if (flowing) source.resume();
      else source.pause();
    },
  });

  function receive(line: string): void {
    if (state !== 'open') return;
    let value: unknown;
    try {
      value = JSON.parse(line);
    } catch {
      // As the SDK does: programs that a server starts may write lines of their own.
      return;
    }
    try {
      if (transport.onvalue?.(value) === true) return;
      transport.onmessage?.(parseJSONRPCMessage(value));
    } catch (error) {
      transport.onerror?.(error as Error);
    }
  }

  function onData(chunk: Buffer): void {
    try {
      input.add(chunk);
    } catch (error) {
      fail(error as Error);
    }
  }

  function onEnd(): void {
    input.end();
    close();
  }

  function fail(error: Error): void {
    transport.onerror?.(error);
    close();
  }

  function close(): void {
    if (state === 'closed') return;
    state = 'closed';
    source.off('data', onData);
    source.off('error', onSourceError);
    source.off('end', onEnd);
    source.off('close', close);
    // What was written last may fail later.
    target.off('error', fail);
    target.off('error', ignore);
    target.on('error', ignore);
    if (source.listenerCount('data') === 0) source.pause();
    input.clear();
    output.flush();
    transport.onclose?.();
  }

  const onSourceError = (error: Error): void => transport.onerror?.(error);

  const transport: LineTransport = {
    start() {
      if (state !== 'new') throw new Error('The transport was started before');
      state = 'open';
      if (source.readableEnded || source.destroyed) setImmediate(close);
      target.on('error', fail);
      source.on('error', onSourceError);
      source.on('end', onEnd);
      source.on('close', close);
      source.on('data', onData);
      return Promise.resolve();
    },
    send(message: JSONRPCMessage) {
      if (state === 'closed') return Promise.reject(new Error('The transport is closed'));
      return output.send(message);
    },
    sendText(message, text) {
      if (state !== 'closed') void output.send(message, text);
    },
    close() {
      close();
      return Promise.resolve();
    },
    get waiting() {
      return output.waiting;
    },
  };
  return transport;
}

function ignore(): void {
  // The reader has closed the pipe.
}
