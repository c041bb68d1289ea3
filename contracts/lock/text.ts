import type { Paint } from '../../generator/diagnostics/index.js';
import { VERDICTS } from './change.js';
import type { Change, Verdict } from './change.js';
import { evidenceOf, MARKS, sayEntry, sayMessage, textDiff } from './say.js';

const COLOURS = {
  breaking: 'red',
  unclear: 'yellow',
  text: 'cyan',
  compatible: 'green',
} as const satisfies Record<Verdict, keyof Paint>;

const WIDTH = Math.max(...VERDICTS.map((verdict) => verdict.length));
const INDENT = ' '.repeat(WIDTH + 2);

/**
 * Changes for a terminal:
 *
 *     breaking    tool "search": input limit: integer (is ≥ 1) → integer (is 1 to 10)
 *                 accepted before: {"query":"text","limit":11}
 *                 refused now: "/limit" must be at most 10
 */
export function changesAsText(changes: readonly Change[], paint: Paint): string {
  return changes.map((change) => changeAsText(change, paint)).join('');
}

function changeAsText(change: Change, paint: Paint): string {
  const verdict = paint[COLOURS[change.verdict]](change.verdict.padEnd(WIDTH));
  const diff = textDiff(change, {
    gone: (text) => paint.red(MARKS.gone(text)),
    added: (text) => paint.green(MARKS.added(text)),
  });
  const lines = [
    ...evidenceOf(change).map((line) => paint.dim(line)),
    ...(diff === undefined ? [] : [diff]),
  ];
  const head = `${verdict}  ${paint.bold(sayEntry(change))}: ${sayMessage(change)}\n`;
  return head + lines.map((line) => `${INDENT}${line}\n`).join('');
}

/** `2 breaking, 1 text`; empty for none. */
export function sayCounts(changes: readonly Change[]): string {
  return Object.entries(countVerdicts(changes))
    .filter(([, count]) => count > 0)
    .map(([verdict, count]) => `${String(count)} ${verdict}`)
    .join(', ');
}

export function countVerdicts(changes: readonly Change[]): Readonly<Record<Verdict, number>> {
  const count = (wanted: Verdict): number =>
    changes.filter(({ verdict }) => verdict === wanted).length;
  return {
    breaking: count('breaking'),
    unclear: count('unclear'),
    text: count('text'),
    compatible: count('compatible'),
  };
}
