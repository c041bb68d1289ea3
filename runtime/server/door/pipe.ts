import type { JSONRPCMessage, Transport } from '@modelcontextprotocol/server';

import { METHODS } from '../../protocol/index.js';
import { type Dialect, TransientMap } from '../../tasks/index.js';
import { isObject } from '../../wire/json.js';
import type { Answers } from '../connection.js';
import { isLineTransport, resumes } from '../sdk/index.js';
import type { DoorPipe } from './session.js';
import { cancelNamed } from './session-requests.js';

export interface PipeDoor {
  readonly transport: Transport;
  /** A server instance was made for the client: these are its answers. */
  connected(dialect: Dialect, answers: Answers): void;
}

/**
 * A transport on which the door answers what it can, as soon as the client has settled on a revision. The SDK gets
 * every other message.
 */
export function doorTransport(
  inner: Transport,
  answer: (pipe: DoorPipe, message: unknown) => boolean,
): PipeDoor {
  let current: { readonly dialect: Dialect; readonly pipe: DoorPipe } | undefined;
  let settled = false;
  /** Requests that the SDK answers before the client has settled, by id. */
  const opening = new Map<unknown, string>();
  /** Requests that the door has handed over. */
  const handedOver = new Map<unknown, () => void>();
  const lines = isLineTransport(inner) ? inner : undefined;

  function send(message: object, text: string): void {
    if (lines !== undefined) lines.sendText(message as never, text);
    else inner.send(message as JSONRPCMessage).catch((error: Error) => transport.onerror?.(error));
  }

  function pipeOf(answers: Answers): DoorPipe {
    return {
      answers,
      open: new TransientMap(),
      send,
      handOver(message, continuation, operation) {
        const id = message['id'];
        answers.continuations.set(id, continuation);
        resumes(message, operation);
        const refused = new Promise<void>((resolve) => handedOver.set(id, resolve));
        transport.onmessage?.(message as JSONRPCMessage);
        return refused;
      },
    };
  }

  function take(message: unknown): boolean {
    if (current === undefined || !settled) return false;
    const { pipe } = current;
    if (isObject(message) && message['id'] === undefined) {
      cancelNamed(pipe, message);
      return false;
    }
    return answer(pipe, message);
  }

  function receive(message: JSONRPCMessage): void {
    if (lines === undefined && take(message)) return;
    if (!settled && 'method' in message && 'id' in message) opening.set(message.id, message.method);
    transport.onmessage?.(message);
  }

  /** The SDK has answered. A result shows whether the client has settled on a revision. */
  function answered(id: unknown, isResult: boolean): void {
    handedOver.get(id)?.();
    handedOver.delete(id);
    if (settled) return;
    const method = opening.get(id);
    opening.delete(id);
    if (method === undefined || !isResult) return;
    settled =
      current?.dialect === 'core'
        ? method === METHODS.initialize
        : current !== undefined && method !== METHODS.serverDiscover;
    if (settled) opening.clear();
  }

  const transport: Transport = {
    async start() {
      if (lines !== undefined) lines.onvalue = take;
      inner.onmessage = receive;
      inner.onclose = () => {
        for (const exchange of current?.pipe.open.values() ?? []) exchange.abandon();
        transport.onclose?.();
      };
      inner.onerror = (error) => transport.onerror?.(error);
      await inner.start();
    },
    send(message, options) {
      if (!('method' in message)) answered(message.id, 'result' in message);
      return inner.send(message, options);
    },
    close: () => inner.close(),
  };

  return {
    transport,
    connected(dialect, answers) {
      settled = false;
      current = { dialect, pipe: pipeOf(answers) };
    },
  };
}
