/** Values that are passed on before others have to wait. */
const MOST_AT_ONCE = 16;

/**
 * Passes values on at once. Of values that come without a pause, as from a loop that awaits nothing, it passes on
 * the first 16, and at the loop's end the last one.
 */
export function lastOfMany<T>(pass: (value: T) => void): (value: T) => void {
  let passed = 0;
  let last: { readonly value: T } | undefined;

  function pause(): void {
    const held = last;
    passed = 0;
    last = undefined;
    if (held !== undefined) pass(held.value);
  }

  return (value) => {
    if (passed === 0) queueMicrotask(pause);
    if (passed < MOST_AT_ONCE) {
      passed += 1;
      pass(value);
    } else {
      last = { value };
    }
  };
}
