/**
 * Whether a path stays inside the folder that it is relative to, on every system: `/` between
 * segments, none of them empty, `.` or `..`, no drive, no backslash, no control character.
 */
export function isSafePath(path: string): boolean {
  return path
    .split('/')
    .every((segment) => SAFE_SEGMENT.test(segment) && !/^\.{1,2}$/.test(segment));
}

// eslint-disable-next-line no-control-regex -- NUL ends a path early in the system's own calls
const SAFE_SEGMENT = /^[^\u0000-\u001f\u007f\\:*?"<>|]+$/;
