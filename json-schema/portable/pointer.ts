/** JSON pointers, by RFC 6901, and relative ones, by draft-bhutton-relative-json-pointer-00. */

export function matchesJsonPointer(value: string): boolean {
  return (value === '' || value.startsWith('/')) && !/~(?![01])/.test(value);
}

export function matchesRelativeJsonPointer(value: string): boolean {
  const start = /^(?:0|[1-9]\d*)/.exec(value)?.[0];
  if (start === undefined) return false;
  const rest = value.slice(start.length);
  return rest === '#' || matchesJsonPointer(rest);
}
