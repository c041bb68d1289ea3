/** Dates, times and durations, by RFC 3339. */

export function matchesDate(value: string): boolean {
  const parts = /^(\d{4})-(\d{2})-(\d{2})$/.exec(value);
  if (!parts) return false;
  const [year, month, day] = [Number(parts[1]), Number(parts[2]), Number(parts[3])];
  return month >= 1 && month <= 12 && day >= 1 && day <= daysIn(month, year);
}

function daysIn(month: number, year: number): number {
  if (month !== 2) return [4, 6, 9, 11].includes(month) ? 30 : 31;
  return year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0) ? 29 : 28;
}

/** A time has an offset. A leap second is 23:59:60 in UTC. */
export function matchesTime(value: string): boolean {
  const parts = /^(\d{2}):(\d{2}):(\d{2})(?:\.\d+)?(?:z|([+-])(\d{2}):(\d{2}))$/i.exec(value);
  if (!parts) return false;
  const [hour, minute, second] = [Number(parts[1]), Number(parts[2]), Number(parts[3])];
  const [hours, minutes] = [Number(parts[5] ?? 0), Number(parts[6] ?? 0)];
  if (hour > 23 || minute > 59 || hours > 23 || minutes > 59) return false;
  if (second < 60) return true;
  const offset = (parts[4] === '-' ? -1 : 1) * (hours * 60 + minutes);
  return second === 60 && (hour * 60 + minute - offset + 2 * DAY) % DAY === DAY - 1;
}

/** In minutes. */
const DAY = 1440;

export function matchesDateTime(value: string): boolean {
  return (
    /^t$/i.test(value.charAt(10)) && matchesDate(value.slice(0, 10)) && matchesTime(value.slice(11))
  );
}

/** No unit may be missing between two others. Weeks stand alone, and numbers are whole. */
export function matchesDuration(value: string): boolean {
  if (/^P\d+W$/.test(value)) return true;
  const parts = /^P((?:\d+[YMD]){0,3})(T)?((?:\d+[HMS]){0,3})$/.exec(value);
  if (!parts) return false;
  const [date, time] = [units(parts[1] ?? ''), units(parts[3] ?? '')];
  return (
    'YMD'.includes(date) &&
    'HMS'.includes(time) &&
    (parts[2] === undefined ? time === '' && date !== '' : time !== '')
  );
}

const units = (text: string): string => text.replace(/\d+/g, '');
