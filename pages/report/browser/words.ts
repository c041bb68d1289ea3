/** `+1.234 s`: when a message was recorded, since the first one. */
export function sayOffset(ms: number): string {
  const seconds = ms / 1000;
  if (Math.abs(seconds) < 10_000) return `+${seconds.toFixed(3)} s`;
  return `+${(seconds / 3600).toFixed(4)} h`;
}

/** A time in the words of its clock: a time of day, or a date and time. */
export function sayTime(ms: number, clock: 'utc' | 'local' | 'day' | undefined): string {
  const text = new Date(ms).toISOString();
  if (clock === 'day') return text.slice(11, 23);
  return clock === 'utc' ? text : text.slice(0, 23).replace('T', ' ');
}

const PART = /("(?:[^"\\]|\\.)*")(:)?|-?\d[\d.eE+-]*|\b(?:true|false|null)\b/g;

/** The parts of a line of JSON, with what each one is. */
export function partsOf(line: string): (readonly [text: string, kind: string])[] {
  const parts: (readonly [string, string])[] = [];
  let end = 0;
  for (const { index, 0: all, 1: text, 2: colon } of line.matchAll(PART)) {
    parts.push([line.slice(end, index), '']);
    end = index + all.length;
    if (text === undefined) parts.push([all, 'literal']);
    else parts.push([all, colon ? 'name' : text.includes('‹masked›') ? 'masked' : 'text']);
  }
  return [...parts, [line.slice(end), ''] as const].filter(([text]) => text !== '');
}
