import { TooLarge } from './too-large.js';

/** A `fetch` that fails when its answers have more than this number of bytes together. */
export function boundedFetch(mostBytes: number): typeof fetch {
  let left = mostBytes;
  return async (input, init) => {
    const response = await fetch(input, init);
    if (!response.body) return response;
    const counting = new TransformStream<Uint8Array, Uint8Array>({
      transform(chunk, controller) {
        left -= chunk.byteLength;
        if (left < 0) controller.error(new TooLarge(mostBytes));
        else controller.enqueue(chunk);
      },
    });
    const { status, statusText, headers } = response;
    return new Response(response.body.pipeThrough(counting), { status, statusText, headers });
  };
}
