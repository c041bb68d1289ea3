const MEBIBYTE = 2 ** 20;

/** A server sent more than it may. */
export class TooLarge extends Error {
  override readonly name = 'TooLarge';

  constructor(mostBytes: number) {
    super(`the server sent more than ${String(mostBytes / MEBIBYTE)} MiB`);
  }
}

/** Counts the bytes of all answers together. Throws a `TooLarge` for more than there may be. */
export function byteCounter(mostBytes: number): (bytes: number) => void {
  let left = mostBytes;
  return (bytes) => {
    left -= bytes;
    if (left < 0) throw new TooLarge(mostBytes);
  };
}

/** A `fetch` whose answers fail when `count` throws. */
export function countedFetch(count: (bytes: number) => void): typeof fetch {
  return async (input, init) => {
    const response = await fetch(input, init);
    if (!response.body) return response;
    const counting = new TransformStream<Uint8Array, Uint8Array>({
      transform(chunk, controller) {
        count(chunk.byteLength);
        controller.enqueue(chunk);
      },
    });
    const { status, statusText, headers } = response;
    return new Response(response.body.pipeThrough(counting), { status, statusText, headers });
  };
}
