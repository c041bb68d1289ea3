import type { JsonObject } from '../../tasks/index.js';
import { isObject } from '../../wire/json.js';

export function isEventStream(response: Response): boolean {
  return response.headers.get('content-type')?.startsWith('text/event-stream') === true;
}

/** A keep-alive, which clients ignore and proxies count as traffic. */
export const COMMENT = ': keepalive\n\n';

/** Milliseconds between keep-alives on every stream. Proxies cut streams that are silent for a minute. */
export const KEEP_ALIVE_MS = 15_000;
const LONGEST_DELAY = 2 ** 31 - 1;

/** A timer that does not keep the process alive; none for an interval that is no positive number. */
export function every(ms: number, act: () => void): NodeJS.Timeout | undefined {
  if (!Number.isFinite(ms) || ms < 1) return undefined;
  return setInterval(act, Math.min(ms, LONGEST_DELAY)).unref();
}

/** A message as an event of a stream, the way the SDK writes it. */
export function frameOf(message: JsonObject): string {
  return `event: message\ndata: ${JSON.stringify(message)}\n\n`;
}

/** Reads the SDK's event stream to its end: each frame, and the message in it unless it is a comment. */
export async function readFrames(
  source: ReadableStream<Uint8Array>,
  signal: AbortSignal,
  take: (frame: string, message: JsonObject | undefined) => void,
): Promise<void> {
  const reader = source.getReader();
  const cancel = (): void => void reader.cancel().catch(() => undefined);
  signal.addEventListener('abort', cancel, { once: true });
  const decoder = new TextDecoder();
  let rest = '';
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return;
      rest += decoder.decode(value, { stream: true });
      const parts = rest.split('\n\n');
      rest = parts.pop() ?? '';
      for (const part of parts) take(`${part}\n\n`, messageIn(part));
    }
  } finally {
    signal.removeEventListener('abort', cancel);
  }
}

/** The message in a frame; nothing for a comment. */
export function messageIn(frame: string): JsonObject | undefined {
  const line = frame.split('\n').find((each) => each.startsWith('data: '));
  if (line === undefined) return undefined;
  const message: unknown = JSON.parse(line.slice('data: '.length));
  return isObject(message) ? message : undefined;
}
