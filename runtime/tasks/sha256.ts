import { hmac } from '@noble/hashes/hmac.js';
import { sha256 as hash } from '@noble/hashes/sha2.js';

/**
 * SHA-256 and HMAC at once, without a module of Node. `crypto.subtle` answers only later: then a cursor could not be
 * checked, nor two requests be compared, in the turn in which they arrive.
 */
export const sha256: (message: Uint8Array) => Uint8Array = hash;

/** A function that signs messages with this key. */
export function hmacSha256(key: Uint8Array): (message: Uint8Array) => Uint8Array {
  // Every message begins with the same block, whose state is copied.
  const begun = hmac.create(hash, key);
  return (message) => begun.clone().update(message).digest();
}
