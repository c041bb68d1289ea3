import type { ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

/** Of the responses that wait behind another one. */
const WAITING = Symbol('responses that wait behind another one');

interface Connection extends Socket {
  [WAITING]?: Set<() => void>;
}

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

function waitingAt(socket: Connection): Set<() => void> {
  const known = socket[WAITING];
  if (known !== undefined) return known;
  const callbacks = new Set<() => void>();
  socket[WAITING] = callbacks;
  socket.on('close', () => {
    for (const callback of callbacks) callback();
  });
  return callbacks;
}
