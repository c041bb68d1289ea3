/** `1 message`, `2 messages`. */
export function many(count: number, noun: string): string {
  return `${String(count)} ${noun}${count === 1 ? '' : 's'}`;
}
