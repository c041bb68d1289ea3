/** Recognises a schema by the SHA-256 of its canonical JSON: sorted keys, no spaces, and ASCII only. */
import { list, record } from './check.js';

export function schemaHash(schema: unknown): string {
  return sha256(canonical(schema).replace(/[^\0-\x7f]/g, escaped));
}

function escaped(character: string): string {
  return `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;
}

function canonical(value: unknown): string {
  if (list(value)) return `[${value.map(canonical).join(',')}]`;
  if (!record(value)) return JSON.stringify(value) ?? 'null';
  const keys = Object.keys(value)
    .filter((key) => value[key] !== undefined)
    .sort();
  return `{${keys.map((key) => `${JSON.stringify(key)}:${canonical(value[key])}`).join(',')}}`;
}

/** The fraction of a root of the first primes, in 32 bits. */
function fractions(count: number, root: (prime: number) => number): Uint32Array {
  const primes: number[] = [];
  for (let n = 2; primes.length < count; n++)
    if (primes.every((prime) => n % prime)) primes.push(n);
  return Uint32Array.from(primes, (prime) => (root(prime) % 1) * 2 ** 32);
}

/** In JavaScript, because run-times of the edge have only an asynchronous one. */
function sha256(text: string): string {
  const state = fractions(8, Math.sqrt);
  const constants = fractions(64, Math.cbrt);
  const padded = new Uint8Array((((text.length + 8) >> 6) + 1) * 64);
  for (let i = 0; i < text.length; i++) padded[i] = text.charCodeAt(i);
  padded[text.length] = 0x80;
  const view = new DataView(padded.buffer);
  view.setUint32(padded.length - 8, Math.floor(text.length / 2 ** 29));
  view.setUint32(padded.length - 4, text.length << 3);
  for (let at = 0; at < padded.length; at += 64) mix(state, constants, view, at);
  return [...state].map((word) => word.toString(16).padStart(8, '0')).join('');
}

const turned = (x: number, by: number): number => (x >>> by) | (x << (32 - by));
const at = (words: Uint32Array, index: number): number => words[index] ?? 0;

function mix(state: Uint32Array, constants: Uint32Array, view: DataView, start: number): void {
  const w = new Uint32Array(64);
  for (let i = 0; i < 16; i++) w[i] = view.getUint32(start + i * 4);
  for (let i = 16; i < 64; i++) {
    const [a, b] = [at(w, i - 15), at(w, i - 2)];
    const first = turned(a, 7) ^ turned(a, 18) ^ (a >>> 3);
    const second = turned(b, 17) ^ turned(b, 19) ^ (b >>> 10);
    w[i] = at(w, i - 16) + first + at(w, i - 7) + second;
  }
  const s = Uint32Array.from(state);
  for (let i = 0; i < 64; i++) {
    const [a, b, c, e, f, g] = [at(s, 0), at(s, 1), at(s, 2), at(s, 4), at(s, 5), at(s, 6)];
    const choice = (turned(e, 6) ^ turned(e, 11) ^ turned(e, 25)) + ((e & f) ^ (~e & g));
    const one = at(s, 7) + choice + at(constants, i) + at(w, i);
    const two = (turned(a, 2) ^ turned(a, 13) ^ turned(a, 22)) + ((a & b) ^ (a & c) ^ (b & c));
    s.copyWithin(1, 0, 7);
    s[4] = at(s, 4) + one;
    s[0] = one + two;
  }
  s.forEach((word, i) => (state[i] = at(state, i) + word));
}
