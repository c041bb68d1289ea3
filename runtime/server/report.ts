import { createCoalescer } from './coalesce.js';
import { oneLine } from './one-line.js';

/**
 * Writes a line for each fault. A fault that repeats is written at once, and then every 10 s with a count,
 * so that a full disk under load does not fill the log.
 */
export function createReporter(
  write: (line: string) => void = (line) => console.error(line),
): (error: Error) => void {
  const report = createCoalescer<string>({
    first: write,
    repeated: (line, times) => write(`${line} (${times} more in 10 s)`),
    others: (times) => write(`${times} more faults of other kinds in 10 s`),
  });
  return ({ message }) => {
    const line = oneLine(message);
    report(line, line);
  };
}
