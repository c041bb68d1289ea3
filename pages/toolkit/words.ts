/** `1 task`, `2,000 tasks`. */
export function many(amount: number, noun: string): string {
  return `${sayNumber(amount)} ${noun}${amount === 1 ? '' : 's'}`;
}

export function sayNumber(number: number): string {
  return number.toLocaleString('en');
}

const UNITS = [
  [3_600_000, 'h'],
  [60_000, 'min'],
  [1_000, 's'],
  [1, 'ms'],
] as const;

/** `2.3 s`: a duration in milliseconds, to three digits. */
export function sayDuration(ms: number): string {
  if (ms === 0) return '0 ms';
  const [size, unit] = UNITS.find(([least]) => Math.abs(ms) >= least) ?? [0.001, 'µs'];
  return `${String(Number((ms / size).toPrecision(3)))} ${unit}`;
}

/** What cannot be seen, or changes the direction of other characters. */
const INVISIBLE = /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/gu;

/** A stranger's text with escapes for characters that could hide others. Line ends and tabs stay. */
export function visible(text: string): string {
  return text.replace(INVISIBLE, (character) =>
    character === '\n' || character === '\t'
      ? character
      : `\\u${(character.codePointAt(0) ?? 0).toString(16).padStart(4, '0')}`,
  );
}
