/** A time as it was recorded. `day`: only the time of day; `local`: without a time zone. */
export interface Instant {
  readonly kind: 'utc' | 'local' | 'day';
  /** Milliseconds, since 1970 or since midnight. */
  readonly ms: number;
}

const DATE_TIME =
  /(\d{4}-\d\d-\d\d)[Tt ](\d\d:\d\d:\d\d)(?:[.,](\d{1,9})\d*)?\s?([Zz]|[+-]\d\d:?\d\d)?/;
const TIME_OF_DAY = /(?<![\d:])(\d\d):(\d\d):(\d\d)(?:[.,](\d{1,9})\d*)?(?![\d:])/;
const EPOCH = /^\W{0,3}(\d{9,19}(?:\.\d{1,9})?)(?!\d)/;
const DAY = 86_400_000;

/** Reads a time beside a message: a date and time, a time of day, or a number since 1970. */
export function instantOf(time: unknown): Instant | undefined {
  if (typeof time === 'number') return epoch(time);
  if (typeof time !== 'string') return undefined;
  const text = time.slice(0, 100);
  const found = DATE_TIME.exec(text);
  if (found) return dateTime(found);
  const day = TIME_OF_DAY.exec(text);
  if (day) return timeOfDay(day);
  const [, digits] = EPOCH.exec(text) ?? [];
  return digits === undefined ? undefined : epoch(Number(digits));
}

function dateTime([, date = '', time = '', fraction, zone]: RegExpExecArray): Instant | undefined {
  const offset = zone?.replace(/^([+-]\d\d):?(\d\d)$/, '$1:$2').toUpperCase() ?? 'Z';
  const ms = Date.parse(`${date}T${time}${offset}`) + partOf(fraction);
  return Number.isFinite(ms) ? { kind: zone === undefined ? 'local' : 'utc', ms } : undefined;
}

function timeOfDay([, hours, minutes, seconds, fraction]: RegExpExecArray): Instant | undefined {
  const [h = 0, m = 0, s = 0] = [hours, minutes, seconds].map(Number);
  if (h > 23 || m > 59 || s > 60) return undefined;
  return { kind: 'day', ms: ((h * 60 + m) * 60 + s) * 1000 + partOf(fraction) };
}

/** Milliseconds of the digits after the point. */
function partOf(fraction: string | undefined): number {
  return fraction === undefined ? 0 : Number(`0.${fraction}`) * 1000;
}

/** Seconds, milliseconds, microseconds or nanoseconds, by their size. Smaller numbers have no known unit. */
function epoch(number: number): Instant | undefined {
  for (const [from, factor] of [
    [1e17, 1e-6],
    [1e14, 1e-3],
    [1e11, 1],
    [1e8, 1e3],
  ] as const) {
    if (number >= from && number < 1e20) return { kind: 'utc', ms: number * factor };
  }
  return undefined;
}

/** Reads the times of one recording, which are all of one kind. */
export class Clock {
  kind: Instant['kind'] | undefined;
  #last = 0;
  #days = 0;

  /** Milliseconds; `undefined` without a time of the recording's kind. */
  read(time: unknown): number | undefined {
    const instant = instantOf(time);
    if (!instant) return undefined;
    this.kind ??= instant.kind;
    if (instant.kind !== this.kind) return undefined;
    if (instant.kind !== 'day') return instant.ms;
    // A time of day that is half a day earlier belongs to the next day.
    if (instant.ms < this.#last - DAY / 2) this.#days += 1;
    this.#last = instant.ms;
    return instant.ms + this.#days * DAY;
  }
}
