/** Milliseconds of a window, in which each fault is written at most once. */
const WINDOW_MS = 10_000;
/** Different faults that are written in one window; the others are counted. */
const MOST_LINES = 20;
const LONGEST_LINE = 500;

/**
 * Writes a line for each fault. A fault that repeats is written at once, and then every 10 s with a count,
 * so that a full disk under load does not fill the log.
 */
export function createReporter(
  write: (line: string) => void = (line) => console.error(line),
): (error: Error) => void {
  /** Lines of this window, and how often each occurred since it was last written. */
  let repeats = new Map<string, number>();
  let left = 0;
  let timer: NodeJS.Timeout | undefined;

  function endWindow(): void {
    const repeated = [...repeats].filter(([, times]) => times > 0);
    for (const [line, times] of repeated) write(`${line} (${times} more in 10 s)`);
    if (left > 0) write(`${left} more faults of other kinds in 10 s`);
    // A fault that still repeats is not written as new in the next window.
    repeats = new Map(repeated.map(([line]) => [line, 0]));
    left = 0;
    timer = repeats.size > 0 ? schedule() : undefined;
  }

  function schedule(): NodeJS.Timeout {
    return setTimeout(endWindow, WINDOW_MS).unref();
  }

  return ({ message }) => {
    timer ??= schedule();
    const line = oneLine(message);
    const times = repeats.get(line);
    if (times !== undefined) {
      repeats.set(line, times + 1);
    } else if (repeats.size >= MOST_LINES) {
      left += 1;
    } else {
      repeats.set(line, 0);
      write(line);
    }
  };
}

/** Control characters could forge lines, or move a terminal's cursor. */
function oneLine(message: string): string {
  return message.replace(/[\p{Cc}\p{Zl}\p{Zp}]+/gu, ' ').slice(0, LONGEST_LINE);
}
