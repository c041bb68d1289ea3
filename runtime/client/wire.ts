import type {
  JSONRPCMessage,
  JSONRPCNotification,
  JSONRPCRequest,
  MessageExtraInfo,
  Transport,
  TransportSendOptions,
} from '@modelcontextprotocol/client';

import { EXTENSION_ID, META_KEYS, METHODS } from '../protocol/index.js';
import type { JsonObject } from '../tasks/index.js';
import type { Facts, Interruption, Operation, Operations } from '../telemetry/index.js';
import { at, isObject, member } from '../wire/json.js';
import type { Session } from './session.js';

/**
 * A transport between the SDK's client and the real transport. The SDK's client accepts only a tool
 * result as the answer to `tools/call`, sends `notifications/cancelled` for every aborted request, and
 * drops a progress token with the answer. Tasks need other behaviour, so this transport provides it.
 */

/** The `_meta` key of a `Ticket`. A symbol, so that JSON leaves it out. */
export const TICKET: unique symbol = Symbol('ticket');

/** Marks a request as a call of the task client. */
export interface Ticket {
  /** Whether the call requests a task, and so must not be cancelled as a request. */
  readonly augmented: boolean;
  /** The kind of answer that has arrived. */
  answered: 'nothing' | 'result' | 'error';
  /** Gets an answer that arrives after the call was stopped. */
  readonly onLate: (result: JsonObject) => void;
}

/** An answer that the SDK does not support. It travels as the data of an error, which the SDK passes on. */
export class UnsupportedResult {
  readonly result: JsonObject;
  constructor(result: JsonObject) {
    this.result = result;
  }
}

/** The data of the error for a request whose stream ended without an answer. */
export class LostStream {}

export interface WireTaps {
  /** Returns true to keep the message from the SDK. */
  readonly onNotification: (message: JSONRPCNotification) => boolean;
  readonly onRequest: (
    message: JSONRPCRequest,
    reply: (message: JSONRPCMessage) => void,
  ) => boolean;
  /** Gets each result before the SDK gets it. */
  readonly onResult: (method: string, result: JsonObject) => void;
  /** Gets the pending send of each notification of the client. */
  readonly onNotify: (sent: Promise<void>) => void;
  /** `problem` is the transport's reason, if it reported one. */
  readonly onClose: (problem: Error | undefined) => void;
  /** Records spans and durations. */
  readonly operations: Operations;
  /** The revision, once it is negotiated. */
  readonly revision: () => string | undefined;
}

interface Pending {
  readonly method: string;
  readonly ticket: Ticket | undefined;
  readonly operation: Operation;
  abandoned: boolean;
}

type Id = string | number;

/**
 * The transport with taps. It is a proxy, because the SDK treats its stdio transport specially and
 * recognizes it by more than the interface of transports.
 */
export function tapped(inner: Transport, taps: WireTaps, session?: Session): Transport {
  const { operations } = taps;
  const endSession = operations.session();
  const pending = new Map<Id, Pending>();
  /** Requests of the server that wait for their answers. */
  const asked = new Map<Id, Operation>();
  const { onclose, onerror } = inner;
  const hooks: Pick<Transport, 'onmessage' | 'onclose' | 'onerror'> = {
    ...(onclose && { onclose }),
    ...(onerror && { onerror }),
  };
  /** The error that is about to end a stream or the connection. */
  let problem: Error | undefined;
  /** The session to resume, until the SDK has sent `initialize`. */
  let resumed = session;

  function facts(): Facts {
    return { revision: taps.revision(), sessionId: inner.sessionId, transport: kindOf(inner) };
  }

  function receive(message: JSONRPCMessage, extra?: MessageExtraInfo): void {
    if ('method' in message) return fromServer(message, extra);
    const passed = answer(message);
    if (passed !== undefined) hooks.onmessage?.(passed, extra);
  }

  function fromServer(
    message: JSONRPCRequest | JSONRPCNotification,
    extra?: MessageExtraInfo,
  ): void {
    const operation = operations.received(message, facts);
    const isRequest = 'id' in message;
    if (isRequest) asked.set(message.id, operation);
    else if (message.method === METHODS.notificationsCancelled) {
      answered(at(message, ['params', 'requestId']) as Id, 'cancelled');
    }
    const reply = (response: JSONRPCMessage): void => {
      respond(response).catch((error: Error) => inner.onerror?.(error));
    };
    operation.run(() => {
      const taken = isRequest ? taps.onRequest(message, reply) : taps.onNotification(message);
      if (!taken) hooks.onmessage?.(message, extra);
    });
    if (!isRequest) operation.end();
  }

  function answered(id: Id | undefined, answer: Parameters<Operation['end']>[0]): void {
    if (id === undefined) return;
    asked.get(id)?.end(answer);
    asked.delete(id);
  }

  /** Answers a request of the server. */
  function respond(message: JSONRPCMessage, options?: TransportSendOptions): Promise<void> {
    if ('id' in message) answered(message.id, message as object);
    return inner.send(message, options);
  }

  function answer(
    message: Exclude<JSONRPCMessage, { method: string }>,
  ): JSONRPCMessage | undefined {
    const { id } = message;
    const entry = id === undefined ? undefined : pending.get(id);
    if (id === undefined || entry === undefined) return message;
    pending.delete(id);
    const { method, ticket, operation, abandoned } = entry;
    operation.end(
      at(message, ['error', 'data']) instanceof LostStream ? 'connection_closed' : message,
    );
    if ('result' in message) taps.onResult(method, message.result);
    if (ticket !== undefined) ticket.answered = 'result' in message ? 'result' : 'error';
    if (abandoned) {
      if ('result' in message) ticket?.onLate(message.result);
      return undefined;
    }
    if (ticket === undefined || !('result' in message) || !isUnsupported(message.result))
      return message;
    return failure(
      id,
      'The answer is a task or input_required',
      new UnsupportedResult(message.result),
    );
  }

  function track(
    message: JSONRPCRequest,
    operation: Operation,
    options: TransportSendOptions,
  ): TransportSendOptions {
    const { id, method } = message;
    const ticket = at(message, ['params', '_meta', TICKET as unknown as string]);
    pending.set(id, { method, ticket: ticket as Ticket | undefined, operation, abandoned: false });
    const abort = (): void => drop(id, 'cancelled');
    options.requestSignal?.addEventListener('abort', abort, { once: true });
    const lost = (): void => {
      if (!pending.has(id)) return;
      const why = problem === undefined ? '' : `: ${problem.message}`;
      receive(failure(id, `The stream ended without an answer${why}`, new LostStream()));
    };
    return { onRequestStreamEnd: lost, ...options };
  }

  /** No answer is expected any more. */
  function drop(id: Id, why: Interruption): void {
    pending.get(id)?.operation.end(why);
    pending.delete(id);
  }

  /** Fails all open requests with the reason, which the SDK's own error would not contain. */
  function fail({ message }: Error): void {
    for (const id of [...pending.keys()]) {
      receive(failure(id, `The connection was closed: ${message}`, new LostStream()));
    }
  }

  function closed(): void {
    for (const { operation } of pending.values()) operation.end('connection_closed');
    for (const operation of asked.values()) operation.end('connection_closed');
    endSession(facts(), problem && 'connection_closed');
  }

  async function send(message: JSONRPCMessage, options: TransportSendOptions = {}): Promise<void> {
    if (!('method' in message)) return respond(message, options);
    if ('id' in message) {
      if (message.method === METHODS.initialize && resumed !== undefined) {
        const { initialized: result } = resumed;
        resumed = undefined;
        const known = { jsonrpc: '2.0', id: message.id, result } as const;
        return queueMicrotask(() => hooks.onmessage?.(known));
      }
      const { message: traced, operation } = operations.sent(message, facts);
      try {
        const sent = withDialectCapabilities(traced);
        return await inner.send(sent, track(message, operation, options));
      } catch (error) {
        drop(message.id, 'send_failed');
        throw error;
      }
    }
    if (message.method === METHODS.notificationsCancelled) {
      const entry = pending.get(at(message, ['params', 'requestId']) as Id);
      if (entry !== undefined) entry.abandoned = true;
      if (entry?.ticket?.augmented === true) return;
      entry?.operation.end('cancelled');
    }
    const sent = inner.send(message, options);
    taps.onNotify(sent);
    return sent;
  }

  inner.onmessage = receive;
  inner.onerror = (error) => {
    const reason = explained(error);
    problem = reason;
    // Other errors have ended their streams by then. A `maxBufferSize` error ends the connection later.
    if (reason === error) queueMicrotask(() => (problem = undefined));
    hooks.onerror?.(reason);
  };
  return new Proxy(inner, {
    get(target, name) {
      if (name === 'send') return send;
      if (name === 'onmessage' || name === 'onclose' || name === 'onerror') return hooks[name];
      // With a session id the SDK would skip `initialize`, and so not learn the server's capabilities.
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
          closed();
          hooks.onclose?.();
        };
        return true;
      }
      return Reflect.set(target, name, value, target);
    },
  });
}

/** Replaces the SDK's error for an overlong line of a stdio server by one that names the option. */
function explained(error: Error): Error {
  const [, most] = /^ReadBuffer exceeded maximum size of (\d+) bytes$/.exec(error.message) ?? [];
  if (most === undefined) return error;
  const limit = `${most} bytes (maxBufferSize)`;
  return new Error(`The server sent a message of more than ${limit}`, { cause: error });
}

/** By what only the SDK's own transports have. */
function kindOf(transport: Transport): Facts['transport'] {
  if ('stderr' in transport) return 'pipe';
  return 'finishAuth' in transport ? 'tcp' : undefined;
}

/** Whether the result is a task or `input_required`. */
function isUnsupported(result: JsonObject): boolean {
  const type = result['resultType'];
  return (type !== undefined && type !== 'complete') || isObject(result['task']);
}

function failure(id: Id, message: string, data: unknown): JSONRPCMessage {
  return { jsonrpc: '2.0', id, error: { code: -32000, message, data } };
}

/** Removes the capabilities of the other dialect from what the client declares. */
function withDialectCapabilities(message: JSONRPCRequest): JSONRPCRequest {
  const params = message.params;
  if (message.method === METHODS.initialize) {
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
