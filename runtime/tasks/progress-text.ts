import type { Progress } from './record.js';

/**
 * Progress as the text of a status message, for clients that get no progress notifications. With a total:
 * `45% (450/1000): Counting primes`. The numbers come first, so that a limit cuts only the message.
 */
export function progressText({ progress, total, message }: Progress): string {
  const hasMessage = message !== undefined && message !== '';
  if (!isTotal(total)) return hasMessage ? message : `Progress: ${progress}`;
  const numbers = `${percentOf(progress, total)}% (${progress}/${total})`;
  return hasMessage ? `${numbers}: ${message}` : numbers;
}

const WRITTEN = /^(\d{1,3})% \(([-+.\de]{1,30})\/([-+.\de]{1,30})\)(?:: (.*))?$/s;

/** The progress in a status message; undefined for any other text, and for progress without a total. */
export function parseProgressText(
  text: string,
): (Required<Omit<Progress, 'message'>> & Pick<Progress, 'message'>) | undefined {
  const [, percent, first, second, message] = WRITTEN.exec(text) ?? [];
  const progress = Number(first);
  const total = Number(second);
  // A text that only looks like progress hardly has the right percentage.
  if (!isTotal(total) || percentOf(progress, total) !== Number(percent)) return undefined;
  return { progress, total, ...(message !== undefined && { message }) };
}

function isTotal(total: number | undefined): total is number {
  return total !== undefined && total > 0 && Number.isFinite(total);
}

function percentOf(progress: number, total: number): number {
  // Multiplied first: 29 / 100 * 100 is less than 29.
  return Math.floor(Math.min(100, Math.max(0, (100 * progress) / total)));
}
