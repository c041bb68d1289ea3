/** The frames of an event stream, kept as they come. */
export interface Frames {
  /** Each with its empty line. Comments are among them. */
  readonly all: readonly string[];
  /** Those that are not comments. */
  readonly events: readonly string[];
  readonly ended: boolean;
  /** Resolves when the condition holds, or after so many milliseconds. */
  until(condition: () => boolean, ms?: number): Promise<void>;
}

export function isComment(frame: string): boolean {
  return frame.startsWith(':');
}

/** Reads to the end, however slowly the frames are used. */
export function framesOf(body: AsyncIterable<Buffer>): Frames {
  const all: string[] = [];
  const events: string[] = [];
  const waiting = new Set<() => void>();
  let ended = false;

  function add(frame: string): void {
    all.push(frame);
    if (!isComment(frame)) events.push(frame);
  }
  async function readAll(): Promise<void> {
    let rest = '';
    for await (const chunk of body) {
      const parts = (rest + chunk.toString('latin1')).split('\n\n');
      rest = parts.pop() ?? '';
      for (const part of parts) add(`${part}\n\n`);
      for (const look of waiting) look();
    }
    if (rest !== '') add(rest);
  }
  void readAll()
    // A connection that breaks ends the stream.
    .catch(() => undefined)
    .then(() => {
      ended = true;
      for (const look of waiting) look();
    });

  return {
    all,
    events,
    get ended() {
      return ended;
    },
    until(condition, ms) {
      return new Promise((resolve) => {
        const timer = ms === undefined ? undefined : setTimeout(done, ms);
        function done(): void {
          clearTimeout(timer);
          waiting.delete(look);
          resolve();
        }
        const look = (): void => (condition() ? done() : undefined);
        waiting.add(look);
        look();
      });
    },
  };
}
