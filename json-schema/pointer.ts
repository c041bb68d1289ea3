/** RFC 6901: `['a/b', 0]` → `/a~1b/0`. */
export function jsonPointer(path: readonly (string | number)[]): string {
  let pointer = '';
  for (const part of path) {
    const name = String(part);
    pointer += `/${/[~/]/.test(name) ? name.replaceAll('~', '~0').replaceAll('/', '~1') : name}`;
  }
  return pointer;
}

/** The parts of a pointer: `/a~1b/0` → `['a/b', '0']`; of a text without a slash at its start, none before the first one. */
export function pointerParts(pointer: string): string[] {
  return pointer
    .split('/')
    .slice(1)
    .map((part) => part.replaceAll('~1', '/').replaceAll('~0', '~'));
}
