import { quote } from '../json-schema/text.js';
import { UsageError } from './exit.js';

const DEFAULT_SECONDS = '30';

/** The seconds of `--timeout`. @throws {UsageError} */
export function secondsOf(written = DEFAULT_SECONDS): number {
  const seconds = Number(written);
  if (seconds > 0 && seconds <= 3600) return seconds;
  throw new UsageError(
    `--timeout is ${quote(written)}, not a number of seconds.`,
    'Give a number above 0, at most 3600.',
  );
}
