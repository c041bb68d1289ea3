/**
 * SHA-256 and HMAC (FIPS 180-4, RFC 2104) without a module of Node. `crypto.subtle` answers only later: then a cursor
 * could not be checked, nor two requests be compared, in the turn in which they arrive.
 */

const BLOCK = 64;
const LENGTH_BYTES = 8;

/** The constants are the fractions of roots of the first primes. */
const PRIMES = firstPrimes(BLOCK);
const ROUNDS = Int32Array.from(PRIMES, (prime) => fraction(Math.cbrt(prime)));
const START = Int32Array.from(PRIMES.slice(0, 8), (prime) => fraction(Math.sqrt(prime)));

export function sha256(message: Uint8Array): Uint8Array {
  const state = Int32Array.from(START);
  finish(state, message, 0);
  return bytesOf(state);
}

/** A function that signs messages with this key. */
export function hmacSha256(key: Uint8Array): (message: Uint8Array) => Uint8Array {
  const block = new Uint8Array(BLOCK);
  block.set(key.length > BLOCK ? sha256(key) : key);
  // Every message begins with the same block, so that the states after it are the same.
  const inner = stateAfter(block.map((byte) => byte ^ 0x36));
  const outer = stateAfter(block.map((byte) => byte ^ 0x5c));
  return (message) => {
    const within = Int32Array.from(inner);
    finish(within, message, BLOCK);
    const around = Int32Array.from(outer);
    finish(around, bytesOf(within), BLOCK);
    return bytesOf(around);
  };
}

function stateAfter(block: Uint8Array): Int32Array {
  const state = Int32Array.from(START);
  compress(state, block, 0);
  return state;
}

/** Takes the last part of a message into a state. `before`: bytes that the state has taken, which are whole blocks. */
function finish(state: Int32Array, message: Uint8Array, before: number): void {
  const whole = message.length - (message.length % BLOCK);
  for (let at = 0; at < whole; at += BLOCK) compress(state, message, at);
  const rest = message.length - whole;
  const padded = new Uint8Array(rest + 1 + LENGTH_BYTES > BLOCK ? 2 * BLOCK : BLOCK);
  padded.set(whole === 0 ? message : message.subarray(whole));
  padded[rest] = 0x80;
  // The length in bits. That of a text of 512 MiB and more would need the upper half as well.
  putWord(padded, padded.length - LENGTH_BYTES / 2, (before + message.length) * 8);
  for (let at = 0; at < padded.length; at += BLOCK) compress(state, padded, at);
}

function bytesOf(state: Int32Array): Uint8Array {
  const bytes = new Uint8Array(4 * state.length);
  for (let index = 0; index < state.length; index += 1)
    putWord(bytes, 4 * index, state[index] ?? 0);
  return bytes;
}

function putWord(bytes: Uint8Array, at: number, word: number): void {
  bytes[at] = word >>> 24;
  bytes[at + 1] = word >>> 16;
  bytes[at + 2] = word >>> 8;
  bytes[at + 3] = word;
}

function wordAt(bytes: Uint8Array, at: number): number {
  return (halfAt(bytes, at) << 16) | halfAt(bytes, at + 2);
}

function halfAt(bytes: Uint8Array, at: number): number {
  return ((bytes[at] ?? 0) << 8) | (bytes[at + 1] ?? 0);
}

/** Of the block at hand. */
const schedule = new Int32Array(BLOCK);

function compress(state: Int32Array, bytes: Uint8Array, from: number): void {
  const {
    0: a0 = 0,
    1: b0 = 0,
    2: c0 = 0,
    3: d0 = 0,
    4: e0 = 0,
    5: f0 = 0,
    6: g0 = 0,
    7: h0 = 0,
  } = state;
  let a = a0;
  let b = b0;
  let c = c0;
  let d = d0;
  let e = e0;
  let f = f0;
  let g = g0;
  let h = h0;
  for (let round = 0; round < BLOCK; round += 1) {
    const word = round < 16 ? wordAt(bytes, from + 4 * round) : nextWord(round);
    schedule[round] = word;
    const sum1 = rotated(e, 6) ^ rotated(e, 11) ^ rotated(e, 25);
    const first = (h + sum1 + ((e & f) ^ (~e & g)) + (ROUNDS[round] ?? 0) + word) | 0;
    const sum0 = rotated(a, 2) ^ rotated(a, 13) ^ rotated(a, 22);
    const second = (sum0 + ((a & b) ^ (a & c) ^ (b & c))) | 0;
    h = g;
    g = f;
    f = e;
    e = (d + first) | 0;
    d = c;
    c = b;
    b = a;
    a = (first + second) | 0;
  }
  state[0] = a0 + a;
  state[1] = b0 + b;
  state[2] = c0 + c;
  state[3] = d0 + d;
  state[4] = e0 + e;
  state[5] = f0 + f;
  state[6] = g0 + g;
  state[7] = h0 + h;
}

function nextWord(round: number): number {
  const early = schedule[round - 15] ?? 0;
  const late = schedule[round - 2] ?? 0;
  const sigma0 = rotated(early, 7) ^ rotated(early, 18) ^ (early >>> 3);
  const sigma1 = rotated(late, 17) ^ rotated(late, 19) ^ (late >>> 10);
  return ((schedule[round - 16] ?? 0) + sigma0 + (schedule[round - 7] ?? 0) + sigma1) | 0;
}

function rotated(word: number, by: number): number {
  return (word >>> by) | (word << (32 - by));
}

function fraction(root: number): number {
  return ((root % 1) * 2 ** 32) | 0;
}

function firstPrimes(count: number): readonly number[] {
  const primes: number[] = [];
  for (let next = 2; primes.length < count; next += 1) {
    if (primes.every((prime) => next % prime !== 0)) primes.push(next);
  }
  return primes;
}
