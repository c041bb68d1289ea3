import { visible } from '../../../../pages/toolkit/words.js';
import type { Row } from './answers.js';

/** A stranger's text on one line: line ends are shown too. */
export function oneLine(text: string): string {
  return visible(text).replaceAll('\n', '\\u000a').replaceAll('\t', '\\u0009');
}

const FORMAT = new Intl.DateTimeFormat(undefined, { dateStyle: 'short', timeStyle: 'medium' });

/** `iso`: RFC 3339. */
export function Time({ iso }: { readonly iso: string }) {
  return (
    <time dateTime={iso} title={iso}>
      {FORMAT.format(new Date(iso))}
    </time>
  );
}

const UNITS = [
  [86_400_000, 'd'],
  [3_600_000, 'h'],
  [60_000, 'min'],
  [1_000, 's'],
] as const;

/** Between two times, such as `2 min 5 s`: the greatest unit and the one below it. */
export function between(from: string, to: string): string {
  const ms = Math.max(0, Date.parse(to) - Date.parse(from));
  const greatest = UNITS.findIndex(([size]) => ms >= size);
  if (greatest < 0) return `${String(ms)} ms`;
  const amounts = UNITS.map(([size, unit], index) => {
    const [above] = UNITS[index - 1] ?? [Infinity];
    return { amount: Math.floor((ms % above) / size), unit };
  });
  return amounts
    .slice(greatest, greatest + 2)
    .filter(({ amount }) => amount > 0)
    .map(({ amount, unit }) => `${String(amount)} ${unit}`)
    .join(' ');
}

const NAMES: Readonly<Record<string, string>> = {
  working: 'Working',
  input_required: 'Input required',
  completed: 'Completed',
  failed: 'Failed',
  cancelled: 'Cancelled',
};
export const STATUSES = Object.keys(NAMES);

export const statusName = (status: string): string => NAMES[status] ?? oneLine(status);

export function Badge({ status }: { readonly status: string }) {
  return <span class={`badge ${status}`}>{statusName(status)}</span>;
}

export function Progress({ of }: { readonly of: NonNullable<Row['progress']> }) {
  return <progress max={of.total} value={of.progress} aria-label="Progress" />;
}
