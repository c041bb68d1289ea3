/**
 * A hash of a JSON value that does not depend on the order of keys. It does not recurse, because recorded
 * values may be nested deeply.
 */
export function fingerprint(value: unknown): number {
  let sum = 0;
  const pending: { readonly value: unknown; readonly place: number }[] = [{ value, place: 7 }];
  for (let next = pending.pop(); next; next = pending.pop()) {
    const { place } = next;
    if (typeof next.value !== 'object' || next.value === null) {
      sum = (sum + mix(place, `${typeof next.value} ${String(next.value)}`)) | 0;
      continue;
    }
    const isList = Array.isArray(next.value);
    sum = (sum + mix(place, isList ? '[' : '{')) | 0;
    for (const [key, inner] of Object.entries(next.value) as [string, unknown][]) {
      pending.push({ value: inner, place: mix(place, key) });
    }
  }
  return sum;
}

function mix(seed: number, text: string): number {
  let hash = seed ^ text.length;
  for (let i = 0; i < text.length; i += 1) {
    hash = Math.imul(hash ^ text.charCodeAt(i), 0x01000193);
    hash ^= hash >>> 15;
  }
  return Math.imul(hash, 0x85ebca6b) ^ (hash >>> 13);
}
