/** `2.3 s`: a duration in milliseconds. */
export function sayDuration(ms: number): string {
  if (ms < 1) return `${String(round(ms * 1000))} µs`;
  if (ms < 1000) return `${String(round(ms))} ms`;
  if (ms < 60_000) return `${String(round(ms / 1000))} s`;
  if (ms < 3_600_000) return `${String(round(ms / 60_000))} min`;
  return `${String(round(ms / 3_600_000))} h`;
}

/** To three digits. */
function round(number: number): number {
  return Number(number.toPrecision(3));
}

export function sayNumber(number: number): string {
  return number.toLocaleString('en');
}
