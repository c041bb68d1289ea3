/** `2.3 s`: a duration in milliseconds. */
export const sayDuration = (ms) => {
  const say = (value, unit) => `${Number(value.toPrecision(3))} ${unit}`;
  if (ms !== 0 && Math.abs(ms) < 1) return say(ms * 1000, 'µs');
  if (Math.abs(ms) < 1000) return say(ms, 'ms');
  if (Math.abs(ms) < 60_000) return say(ms / 1000, 's');
  if (Math.abs(ms) < 3_600_000) return say(ms / 60_000, 'min');
  return say(ms / 3_600_000, 'h');
};

/** `+1.234 s`: when a message was recorded, since the first one. */
export const sayOffset = (ms) => {
  const seconds = ms / 1000;
  if (Math.abs(seconds) < 10_000) return `+${seconds.toFixed(3)} s`;
  return `+${(seconds / 3600).toFixed(4)} h`;
};

/** A time in the words of its clock: a time of day, or a date and time. */
export const sayTime = (ms, clock) => {
  const text = new Date(ms).toISOString();
  if (clock === 'day') return text.slice(11, 23);
  return clock === 'utc' ? text : text.slice(0, 23).replace('T', ' ');
};

export const many = (amount, noun) =>
  `${amount.toLocaleString('en')} ${noun}${amount === 1 ? '' : 's'}`;

/** The parts of a line of JSON, with what each one is. */
export const partsOf = (line) => {
  const parts = [];
  let end = 0;
  const add = (text, kind) => text !== '' && parts.push([text, kind]);
  for (const found of line.matchAll(PART)) {
    const [all, text, colon] = found;
    add(line.slice(end, found.index), '');
    end = found.index + all.length;
    if (text === undefined) add(all, 'literal');
    else add(all, colon ? 'name' : text.includes('‹masked›') ? 'masked' : 'text');
  }
  add(line.slice(end), '');
  return parts;
};

const PART = /("(?:[^"\\]|\\.)*")(:)?|-?\d[\d.eE+-]*|\b(?:true|false|null)\b/g;
