/**
 * A hash of a JSON value that does not depend on the order of keys. It does not recurse, because recorded
 * values may be nested deeply. It makes no garbage for each part, because it reads each request.
 */
export function fingerprint(value: unknown): number {
  let sum = 0;
  const values: unknown[] = [value];
  /** The hash of the path to each value. */
  const places = [7];
  while (places.length > 0) {
    const place = places.pop() ?? 0;
    const next = values.pop();
    if (typeof next !== 'object' || next === null) {
      sum = (sum + ofScalar(place, next)) | 0;
    } else if (Array.isArray(next)) {
      sum = (sum + mix(place, '[')) | 0;
      for (let i = 0; i < next.length; i += 1) {
        values.push(next[i]);
        places.push(mix(place, String(i)));
      }
    } else {
      sum = (sum + mix(place, '{')) | 0;
      for (const key of Object.keys(next)) {
        values.push((next as Readonly<Record<string, unknown>>)[key]);
        places.push(mix(place, key));
      }
    }
  }
  return sum;
}

/** 1 and "1" differ. */
function ofScalar(place: number, value: unknown): number {
  return typeof value === 'string' ? mix(place, value) : mix(~place, String(value));
}

function mix(seed: number, text: string): number {
  let hash = seed ^ text.length;
  for (let i = 0; i < text.length; i += 1) {
    hash = Math.imul(hash ^ text.charCodeAt(i), 0x01000193);
    hash ^= hash >>> 15;
  }
  return Math.imul(hash, 0x85ebca6b) ^ (hash >>> 13);
}
