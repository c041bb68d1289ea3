const ENCODER = new TextEncoder();

/** The number of bytes that a text takes as UTF-8. */
export function byteLength(text: string): number {
  return ENCODER.encode(text).length;
}

/** Whether a text takes at most so many bytes. Does not encode one that is short anyway. */
export function fitsIn(text: string, maxBytes: number): boolean {
  // A code unit of a string takes three bytes at most.
  return text.length * 3 <= maxBytes || byteLength(text) <= maxBytes;
}

/** Bytes as base64url, without padding. For thousands of bytes at most: they become arguments. */
export function base64Url(bytes: Uint8Array): string {
  // Spreading bytes takes five times as long: it goes through their iterator.
  const text = btoa(String.fromCharCode.apply(null, bytes as unknown as number[]));
  return text.replace(/[+/=]/g, (sign) => URL_SIGNS[sign] ?? '');
}

const URL_SIGNS: Readonly<Record<string, string | undefined>> = { '+': '-', '/': '_' };

/** So many random bytes as base64url. */
export function randomText(bytes: number): string {
  return base64Url(crypto.getRandomValues(new Uint8Array(bytes)));
}

/** Takes as long for a guess that is nearly right as for any other of that length. */
export function sameText(given: string, expected: string): boolean {
  if (given.length !== expected.length) return false;
  let difference = 0;
  for (let at = 0; at < given.length; at += 1) {
    difference |= given.charCodeAt(at) ^ expected.charCodeAt(at);
  }
  return difference === 0;
}
