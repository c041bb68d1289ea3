/**
 * Whether a path stays inside the folder that it is relative to, on every system: `/` between
 * segments, none of them empty, `.` or `..`, no drive, no backslash, no control character, and no name that Windows
 * gives to a device or shortens.
 */
export function isSafePath(path: string): boolean {
  return path.split('/').every((segment) => SAFE_SEGMENT.test(segment) && !DEVICE.test(segment));
}

const DEVICE = /^(?:con|prn|aux|nul|com\d|lpt\d)(?:\.|$)/i;

// eslint-disable-next-line no-control-regex -- NUL ends a path early in the system's own calls
const SAFE_SEGMENT = /^[^\u0000-\u001f\u007f\\:*?"<>|]+(?<![. ])$/;
