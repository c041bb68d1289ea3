/** Punycode, by RFC 3492. */

const BASE = 36;
const FIRST = 128;
const DIGITS = 'abcdefghijklmnopqrstuvwxyz0123456789';

/** The text that the code stands for; undefined for malformed code. Quadratic in the length of the code. */
export function decodePunycode(code: string): string | undefined {
  const dash = code.lastIndexOf('-');
  const output = [...code.slice(0, Math.max(dash, 0))];
  let [point, place, bias, at] = [FIRST, 0, 72, dash + 1];
  while (at < code.length) {
    const before = place;
    for (let weight = 1, k = BASE; ; k += BASE) {
      const digit = DIGITS.indexOf(code.charAt(at).toLowerCase());
      if (digit < 0 || at++ >= code.length) return undefined;
      place += digit * weight;
      const limit = threshold(k, bias);
      if (digit < limit) break;
      weight *= BASE - limit;
    }
    const length = output.length + 1;
    bias = adapted(place - before, length, before === 0);
    point += Math.floor(place / length);
    if (point > 0x10ffff) return undefined;
    place %= length;
    output.splice(place++, 0, String.fromCodePoint(point));
  }
  return output.join('');
}

/** Quadratic in the length of the text. */
export function encodePunycode(text: string): string {
  const points = Array.from(text, (each) => each.codePointAt(0) ?? 0);
  const basic = points.filter((each) => each < FIRST);
  let output = String.fromCodePoint(...basic) + (basic.length > 0 ? '-' : '');
  let [delta, bias, done, previous] = [0, 72, basic.length, FIRST - 1];
  const others = [...new Set(points)].filter((each) => each >= FIRST).sort((a, b) => a - b);
  for (const point of others) {
    delta += (point - previous - 1) * (done + 1);
    for (const each of points) {
      if (each < point) delta++;
      if (each !== point) continue;
      output += digits(delta, bias);
      bias = adapted(delta, done + 1, done === basic.length);
      delta = 0;
      done++;
    }
    delta++;
    previous = point;
  }
  return output;
}

/** A number in digits of growing weight. */
function digits(value: number, bias: number): string {
  let [rest, text] = [value, ''];
  for (let k = BASE; ; k += BASE) {
    const limit = threshold(k, bias);
    if (rest < limit) return text + DIGITS.charAt(rest);
    text += DIGITS.charAt(limit + ((rest - limit) % (BASE - limit)));
    rest = Math.floor((rest - limit) / (BASE - limit));
  }
}

const threshold = (k: number, bias: number): number => Math.min(Math.max(k - bias, 1), 26);

function adapted(delta: number, length: number, first: boolean): number {
  let rest = Math.floor(delta / (first ? 700 : 2));
  rest += Math.floor(rest / length);
  let k = 0;
  for (; rest > 455; k += BASE) rest = Math.floor(rest / 35);
  return k + Math.floor((36 * rest) / (rest + 38));
}
