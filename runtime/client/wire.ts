import type {
  JSONRPCMessage,
  JSONRPCNotification,
  JSONRPCRequest,
  MessageExtraInfo,
  Transport,
  TransportSendOptions,
} from '@modelcontextprotocol/client';

import { META_KEYS } from '../../generated/2026-07-28/protocol.js';
import { EXTENSION_ID } from '../../generated/ext-tasks/protocol.js';
import type { JsonObject } from '../tasks/index.js';
import { at, isObject, member } from '../wire/json.js';
import type { Session } from './session.js';

/**
 * The SDK's client takes nothing but a tool's result for an answer to `tools/call`, writes
 * `notifications/cancelled` for whatever is given up, and forgets a progress token with the answer. So
 * what tasks need passes beside it, on the transport.
 */

/** Marks a request as a call of ours. JSON knows no symbols, so it never leaves the process. */
export const TICKET: unique symbol = Symbol('ticket');

export interface Ticket {
  /** Whether the call asks to become a task, and so must not be cancelled as a request. */
  readonly augmented: boolean;
  /** What came as its answer so far. */
  answered: 'nothing' | 'result' | 'error';
  /** Told the answer that came when nobody waited for it any more. */
  readonly onLate: (result: JsonObject) => void;
}

/** An answer that the SDK does not know, as the data of an error, which it passes on untouched. */
export class Unusual {
  readonly result: JsonObject;
  constructor(result: JsonObject) {
    this.result = result;
  }
}

/** The data of the error for a request whose answer's stream has ended without it. */
export class LostStream {}

export interface WireTaps {
  /** Returns whether the message was taken, so that the SDK does not get it. */
  readonly onNotification: (message: JSONRPCNotification) => boolean;
  readonly onRequest: (
    message: JSONRPCRequest,
    reply: (message: JSONRPCMessage) => void,
  ) => boolean;
  /** A result of a request of ours, before the SDK gets it. */
  readonly onResult: (method: string, result: JsonObject) => void;
  /** A notification of ours, until it has been sent. */
  readonly onNotify: (sent: Promise<void>) => void;
  /** `problem`: why, if the transport said so. */
  readonly onClose: (problem: Error | undefined) => void;
}

interface Pending {
  readonly method: string;
  readonly ticket: Ticket | undefined;
  abandoned: boolean;
}

type Id = string | number;

/**
 * The transport, with our eyes on it. A proxy, because the SDK knows its stdio transport by more than
 * the interface of transports, and treats it in its own way.
 */
export function tapped(inner: Transport, taps: WireTaps, session?: Session): Transport {
  const pending = new Map<Id, Pending>();
  const { onclose, onerror } = inner;
  const hooks: Pick<Transport, 'onmessage' | 'onclose' | 'onerror'> = {
    ...(onclose && { onclose }),
    ...(onerror && { onerror }),
  };
  /** Why a stream, or the connection, is about to end. */
  let problem: Error | undefined;
  /** A session that the SDK is still to take up. */
  let resumed = session;

  function receive(message: JSONRPCMessage, extra?: MessageExtraInfo): void {
    const passed = 'method' in message ? heard(message) : answer(message);
    if (passed !== undefined) hooks.onmessage?.(passed, extra);
  }

  function heard(message: JSONRPCRequest | JSONRPCNotification): JSONRPCMessage | undefined {
    const reply = (response: JSONRPCMessage): void => {
      inner.send(response).catch((error: Error) => inner.onerror?.(error));
    };
    const taken = 'id' in message ? taps.onRequest(message, reply) : taps.onNotification(message);
    return taken ? undefined : message;
  }

  function answer(
    message: Exclude<JSONRPCMessage, { method: string }>,
  ): JSONRPCMessage | undefined {
    const { id } = message;
    const entry = id === undefined ? undefined : pending.get(id);
    if (id === undefined || entry === undefined) return message;
    pending.delete(id);
    const { method, ticket, abandoned } = entry;
    if ('result' in message) taps.onResult(method, message.result);
    if (ticket !== undefined) ticket.answered = 'result' in message ? 'result' : 'error';
    if (abandoned) {
      if ('result' in message) ticket?.onLate(message.result);
      return undefined;
    }
    if (ticket === undefined || !('result' in message) || !isUnusual(message.result))
      return message;
    return failure(id, 'An answer of another kind', new Unusual(message.result));
  }

  function track(message: JSONRPCRequest, options: TransportSendOptions): TransportSendOptions {
    const { id, method } = message;
    const ticket = at(message, ['params', '_meta', TICKET as unknown as string]);
    pending.set(id, { method, ticket: ticket as Ticket | undefined, abandoned: false });
    options.requestSignal?.addEventListener('abort', () => pending.delete(id), { once: true });
    const lost = (): void => {
      if (!pending.has(id)) return;
      const why = problem === undefined ? '' : `: ${problem.message}`;
      receive(failure(id, `The stream ended without an answer${why}`, new LostStream()));
    };
    return { onRequestStreamEnd: lost, ...options };
  }

  /** Says why to all that wait: the SDK would only say that the connection was closed. */
  function fail({ message }: Error): void {
    for (const id of [...pending.keys()]) {
      receive(failure(id, `The connection was closed: ${message}`, new LostStream()));
    }
  }

  async function send(message: JSONRPCMessage, options: TransportSendOptions = {}): Promise<void> {
    if (!('method' in message)) return inner.send(message, options);
    if ('id' in message) {
      if (message.method === 'initialize' && resumed !== undefined) {
        const { initialized: result } = resumed;
        resumed = undefined;
        const known = { jsonrpc: '2.0', id: message.id, result } as const;
        return queueMicrotask(() => hooks.onmessage?.(known));
      }
      try {
        return await inner.send(perEra(message), track(message, options));
      } catch (error) {
        pending.delete(message.id);
        throw error;
      }
    }
    if (message.method === 'notifications/cancelled') {
      const entry = pending.get(at(message, ['params', 'requestId']) as Id);
      if (entry !== undefined) entry.abandoned = true;
      if (entry?.ticket?.augmented === true) return;
    }
    const sent = inner.send(message, options);
    taps.onNotify(sent);
    return sent;
  }

  inner.onmessage = receive;
  inner.onerror = (error) => {
    const reason = explained(error);
    problem = reason;
    // Streams that it ends have ended by then; other errors end the connection, some time later.
    if (reason === error) queueMicrotask(() => (problem = undefined));
    hooks.onerror?.(reason);
  };
  return new Proxy(inner, {
    get(target, name) {
      if (name === 'send') return send;
      if (name === 'onmessage' || name === 'onclose' || name === 'onerror') return hooks[name];
      // The SDK leaves the handshake out for a transport with a session, and all that comes with it.
      if (name === 'sessionId' && resumed !== undefined) return undefined;
      const value: unknown = Reflect.get(target, name, target);
      const isMethod = typeof value === 'function' && name !== 'constructor';
      return isMethod ? (value.bind(target) as unknown) : value;
    },
    set(target, name, value) {
      if (name === 'onmessage') {
        hooks.onmessage = value as Transport['onmessage'];
        return true;
      }
      if (name === 'onerror') {
        hooks.onerror = value as Transport['onerror'];
        return true;
      }
      if (name === 'onclose') {
        hooks.onclose = value as Transport['onclose'];
        target.onclose = () => {
          taps.onClose(problem);
          if (problem !== undefined) fail(problem);
          hooks.onclose?.();
        };
        return true;
      }
      return Reflect.set(target, name, value, target);
    },
  });
}

/** The SDK's words for a line of a spawned server that is too long, in ours. */
function explained(error: Error): Error {
  const [, most] = /^ReadBuffer exceeded maximum size of (\d+) bytes$/.exec(error.message) ?? [];
  if (most === undefined) return error;
  const limit = `${most} bytes (maxBufferSize)`;
  return new Error(`The server sent a message of more than ${limit}`, { cause: error });
}

/** A task, or questions to be answered first. */
function isUnusual(result: JsonObject): boolean {
  const type = result['resultType'];
  return (type !== undefined && type !== 'complete') || isObject(result['task']);
}

function failure(id: Id, message: string, data: unknown): JSONRPCMessage {
  return { jsonrpc: '2.0', id, error: { code: -32000, message, data } };
}

/** A client declares the same to servers of both eras; each hears what its own knows. */
function perEra(message: JSONRPCRequest): JSONRPCRequest {
  const params = message.params;
  if (message.method === 'initialize') {
    const capabilities = member(params, 'capabilities');
    const extensions = without(member(capabilities, 'extensions'), EXTENSION_ID);
    const declared = { ...without(capabilities, 'extensions'), ...notEmpty({ extensions }) };
    return { ...message, params: { ...params, capabilities: declared } };
  }
  const meta = params?._meta;
  const capabilities = member(meta, META_KEYS.clientCapabilities);
  if (member(capabilities, 'tasks') === undefined) return message;
  const _meta = { ...meta, [META_KEYS.clientCapabilities]: without(capabilities, 'tasks') };
  return { ...message, params: { ...params, _meta } };
}

function without(value: unknown, name: string): JsonObject {
  if (!isObject(value)) return {};
  const { [name]: _, ...rest } = value;
  return rest;
}

function notEmpty(members: { readonly [name: string]: JsonObject }): JsonObject {
  return Object.fromEntries(
    Object.entries(members).filter(([, value]) => Object.keys(value).length > 0),
  );
}
