import type { AnySdkTransport } from '../../runtime/peer/wire/sdk-transport.js';

export type { AnySdkTransport as AnyTransport };

export type Send = (message: unknown) => Promise<void>;
export type Deliver = (message: unknown) => void;

/** What stands between a transport and its user. */
export interface Interceptor {
  /** Before the transport starts. */
  start(): void;
  /** `pass` sends a message, `back` hands one to the user in place of the other side. */
  send(message: unknown, pass: Send, back: Deliver): Promise<void>;
  /** `pass` hands a message to the user, `back` sends one in place of the user. `extra` is what the transport says of it. */
  receive(message: unknown, pass: Deliver, back: Send, extra: unknown): void;
  closed(): void;
  /** The transport reports an error, such as a line that is no message. */
  failed?(error: Error): void;
}

/**
 * A transport whose messages pass an interceptor. All else is the transport's own: the SDK finds further members,
 * such as `sessionId` and `finishAuth`. The transport itself is not used by others any more.
 */
export function intercepted<T extends AnySdkTransport>(transport: T, interceptor: Interceptor): T {
  let onmessage = transport.onmessage;
  let onclose = transport.onclose;
  let onerror = transport.onerror;
  transport.onmessage = (message: never, extra?: never) =>
    interceptor.receive(
      message,
      (passed) => onmessage?.(passed as never, extra),
      (back) => transport.send(back as never),
      extra,
    );
  transport.onclose = () => {
    interceptor.closed();
    onclose?.();
  };
  if (interceptor.failed) {
    transport.onerror = (error) => {
      interceptor.failed?.(error);
      onerror?.(error);
    };
  }
  const own: Readonly<Record<string, unknown>> = {
    start: () => {
      interceptor.start();
      return transport.start();
    },
    send: (message: unknown, options: never) =>
      interceptor.send(
        message,
        (passed) => transport.send(passed as never, options),
        (back) => onmessage?.(back as never),
      ),
  };
  return new Proxy(transport, {
    get(target, name) {
      if (name === 'onmessage') return onmessage;
      if (name === 'onclose') return onclose;
      if (name === 'onerror' && interceptor.failed) return onerror;
      if (typeof name === 'string' && Object.hasOwn(own, name)) return own[name];
      // The transport is the receiver, because classes have private members.
      const value: unknown = Reflect.get(target, name, target);
      return typeof value === 'function' && name !== 'constructor'
        ? (value.bind(target) as unknown)
        : value;
    },
    set(target, name, value) {
      if (name === 'onmessage') onmessage = value as T['onmessage'];
      else if (name === 'onclose') onclose = value as T['onclose'];
      else if (name === 'onerror' && interceptor.failed) onerror = value as T['onerror'];
      else return Reflect.set(target, name, value, target);
      return true;
    },
  });
}
