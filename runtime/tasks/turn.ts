/**
 * Calls back in a later turn of the event loop. Input and output go on between two turns, so that a chain of them does
 * not hold up other requests.
 */
export function nextTurn(callback: () => void): void {
  // Node, Deno and Bun. Looked up at each call, because tests with a clock of their own replace it.
  if (typeof setImmediate === 'function') setImmediate(callback);
  // Not a `MessageChannel`: workerd ties it to the request that made it, and another request may not use it.
  else setTimeout(callback, 0);
}
