import type { ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

/** Of the responses that wait behind another one, by connection. */
const waiting = new WeakMap<Socket, Set<() => void>>();

/**
 * Calls back when a response has ended or its connection has closed, perhaps more than once. Node tells the latter to
 * the first response of a connection only, not to those of requests that were sent before it was answered.
 */
export function onClose(response: ServerResponse, callback: () => void): void {
  response.on('close', callback);
  if (response.socket !== null) return;
  const callbacks = waitingAt(response.req.socket);
  callbacks.add(callback);
  response.on('close', () => callbacks.delete(callback));
}

function waitingAt(socket: Socket): Set<() => void> {
  const known = waiting.get(socket);
  if (known !== undefined) return known;
  const callbacks = new Set<() => void>();
  waiting.set(socket, callbacks);
  socket.on('close', () => {
    for (const callback of callbacks) callback();
  });
  return callbacks;
}
