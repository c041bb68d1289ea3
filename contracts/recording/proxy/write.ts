import { once } from 'node:events';
import type { Writable } from 'node:stream';

/** Writes, and waits while the reader is behind. Resolves also when the reader has disconnected. */
export async function write(sink: Writable, bytes: Uint8Array | string): Promise<void> {
  if (sink.destroyed || sink.writableEnded || sink.write(bytes)) return;
  const stop = new AbortController();
  const { signal } = stop;
  const ends = ['drain', 'close', 'error'].map((event) => once(sink, event, { signal }));
  await Promise.race(ends).catch(() => undefined);
  stop.abort();
  for (const each of ends) each.catch(() => undefined);
}
