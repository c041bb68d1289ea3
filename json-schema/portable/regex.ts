/** Whether the text is a regular expression of ECMA-262 with the `u` flag. It is not run. */
export function matchesRegex(value: string): boolean {
  try {
    new RegExp(value, 'u');
    return true;
  } catch {
    return false;
  }
}
