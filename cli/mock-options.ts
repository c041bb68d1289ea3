import { quote } from '../json-schema/text.js';
import { UsageError } from './exit.js';

const text = { type: 'string', requiresArg: true } as const;

/** Options of `mock` that are numbers. */
export const MOCK_NUMBERS = {
  port: { ...text, describe: 'The port of --http (default: any free one)' },
  speed: {
    ...text,
    describe:
      'How much faster than it was recorded: 10, 0.5, or "instant" to wait for nothing (default: 1)',
  },
  seed: { ...text, describe: 'Generated results are the same for the same number (default: 1)' },
} as const;

const LAST_PORT = 65_535;

/** @throws {UsageError} */
export function portOf(given = '0'): number {
  const port = Number(given);
  if (/^\d{1,5}$/.test(given) && port <= LAST_PORT) return port;
  throw new UsageError(
    `--port is ${quote(given)}, not a port.`,
    `Use 0 to ${LAST_PORT}; 0 is any free one.`,
  );
}

/** @throws {UsageError} */
export function speedOf(given = '1'): number {
  if (given === 'instant' || given === '0') return Infinity;
  const speed = Number(given);
  if (/^[\d.]{1,10}$/.test(given) && speed > 0) return speed;
  throw new UsageError(
    `--speed is ${quote(given)}, not a number above 0.`,
    'Give 1 for the recorded times, 10 for a tenth of them, or "instant".',
  );
}

/** @throws {UsageError} */
export function seedOf(given = '1'): number {
  const seed = Number(given);
  if (/^-?\d{1,15}$/.test(given)) return seed;
  throw new UsageError(`--seed is ${quote(given)}, not a whole number.`, 'For example --seed 7.');
}
